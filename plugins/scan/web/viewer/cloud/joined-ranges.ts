import type { CloudNode, NodeAddress } from './cloud-node.ts';

type CopcAddress = Extract<NodeAddress, { kind: 'COPC' }>;

/** Maximum bytes and points of a request unless a single node has more, so that its first node is shown soon. */
const maxBytes = 256 << 10;
const maxPoints = 1 << 16;
/** Maximum bytes between two joined nodes: less than the headers of another request. */
const widestGap = 512;

/**
 * Returns a node and the requested nodes that are nearly adjacent to it in the same file, in file order after the node
 * itself. Files hold thousands of nodes of a few points, where a request each would cost more than the points.
 */
export function joinedRanges(node: CloudNode, waiting: readonly CloudNode[]): readonly CloudNode[] {
  const { address } = node;
  if (address?.kind !== 'COPC') return [node];
  const ranges = waiting
    .flatMap((each) =>
      each !== node && each.address?.kind === 'COPC' && each.address.url === address.url
        ? [{ node: each, range: each.address }]
        : [],
    )
    .sort((a, b) => a.range.offset - b.range.offset);
  const joined: { readonly node: CloudNode; readonly range: CopcAddress }[] = [];
  let [from, to, points] = [address.offset, address.offset + address.bytes, node.count];
  const join = (each: { readonly node: CloudNode; readonly range: CopcAddress }): boolean => {
    const { offset, bytes } = each.range;
    const [start, end] = [Math.min(from, offset), Math.max(to, offset + bytes)];
    const gap = offset >= to ? offset - to : from - offset - bytes;
    if (gap < 0 || gap > widestGap || end - start > maxBytes || points + each.node.count > maxPoints) return false;
    [from, to, points] = [start, end, points + each.node.count];
    joined.push(each);
    return true;
  };
  const after = ranges.findIndex(({ range }) => range.offset >= to);
  const later = after < 0 ? [] : ranges.slice(after);
  const earlier = (after < 0 ? ranges : ranges.slice(0, after)).toReversed();
  // The first node that is not adjacent ends the run.
  later.every(join);
  earlier.every(join);
  return [node, ...joined.sort((a, b) => a.range.offset - b.range.offset).map((each) => each.node)];
}

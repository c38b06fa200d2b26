import type { CloudNode, NodeAddress } from './cloud-node.ts';

type CopcAddress = Extract<NodeAddress, { kind: 'COPC' }>;

/** Maximum bytes and points of a request, so that its first node is shown soon. A single node may have more. */
const maxBytes = 256 << 10;
const maxPoints = 1 << 16;
/** Maximum bytes between two joined nodes. They are fewer than the headers of another request. */
const maxGapBytes = 512;

/**
 * Returns a node and then, in file order, the requested nodes that are nearly adjacent to it in the same file. Files
 * have thousands of nodes with few points, and a request for each would cost more than the points.
 */
export function joinRanges(node: CloudNode, requestedNodes: readonly CloudNode[]): readonly CloudNode[] {
  const { address } = node;
  if (address?.kind !== 'COPC') return [node];
  const ranges = requestedNodes
    .flatMap((each) =>
      each !== node && each.address?.kind === 'COPC' && each.address.url === address.url
        ? [{ node: each, range: each.address }]
        : [],
    )
    .sort((a, b) => a.range.offset - b.range.offset);
  const joinedRanges: { readonly node: CloudNode; readonly range: CopcAddress }[] = [];
  let [from, to, points] = [address.offset, address.offset + address.bytes, node.count];
  const tryJoin = (each: { readonly node: CloudNode; readonly range: CopcAddress }): boolean => {
    const { offset, bytes } = each.range;
    const [start, end] = [Math.min(from, offset), Math.max(to, offset + bytes)];
    const gap = offset >= to ? offset - to : from - offset - bytes;
    if (gap < 0 || gap > maxGapBytes || end - start > maxBytes || points + each.node.count > maxPoints) return false;
    [from, to, points] = [start, end, points + each.node.count];
    joinedRanges.push(each);
    return true;
  };
  const after = ranges.findIndex(({ range }) => range.offset >= to);
  const later = after < 0 ? [] : ranges.slice(after);
  const previousRanges = (after < 0 ? ranges : ranges.slice(0, after)).toReversed();
  // `every` stops at the first node that is not adjacent.
  later.every(tryJoin);
  previousRanges.every(tryJoin);
  return [node, ...joinedRanges.sort((a, b) => a.range.offset - b.range.offset).map((each) => each.node)];
}

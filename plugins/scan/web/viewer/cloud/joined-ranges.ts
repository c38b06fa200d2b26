import type { CloudNode, NodeAddress } from './cloud-node.ts';

type CopcAddress = Extract<NodeAddress, { kind: 'COPC' }>;

/**
 * Bytes and points that one request brings at most, unless a single node has more: the first of them shall not wait for
 * long.
 */
const maxBytes = 256 << 10;
const maxPoints = 1 << 16;
/** Bytes between two nodes that are fetched along: the head of a further request would be longer. */
const widestGap = 512;

/**
 * A node with those that one request brings along: of the same file, wanted too, and lying beside it without a gap
 * worth mentioning. Files hold thousands of nodes of a few points each, and a request for each would cost more than the
 * points. The node comes first; the others follow in the order of the file.
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
  // The first that does not lie beside what is joined ends the run.
  later.every(join);
  earlier.every(join);
  return [node, ...joined.sort((a, b) => a.range.offset - b.range.offset).map((each) => each.node)];
}

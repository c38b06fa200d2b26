import type { CloudNode, NodeSource } from './cloud-node.ts';

type CopcSource = Extract<NodeSource, { kind: 'COPC' }>;

/** Maximum bytes and points of a request, so that its first node is shown soon. A single node may have more. */
const maxBytes = 256 << 10;
const maxPoints = 1 << 16;
/** Maximum bytes between two joined nodes. The headers of another request would be longer. */
const maxGapBytes = 512;

/**
 * Returns a node and then, in file order, the requested nodes that are nearly adjacent to it in the same file. Files
 * have thousands of nodes with few points, and a request for each would cost more than the points.
 */
export function joinRanges(node: CloudNode, requestedNodes: readonly CloudNode[]): readonly CloudNode[] {
  const { source } = node;
  if (source?.kind !== 'COPC') return [node];
  const ranges = requestedNodes
    .flatMap((requestedNode) =>
      requestedNode !== node && requestedNode.source?.kind === 'COPC' && requestedNode.source.url === source.url
        ? [{ node: requestedNode, range: requestedNode.source }]
        : [],
    )
    .sort((a, b) => a.range.offset - b.range.offset);
  const joinedRanges: { readonly node: CloudNode; readonly range: CopcSource }[] = [];
  let [from, to, points] = [source.offset, source.offset + source.bytes, node.count];
  const tryJoin = (candidate: { readonly node: CloudNode; readonly range: CopcSource }): boolean => {
    const { offset, bytes } = candidate.range;
    const [start, end] = [Math.min(from, offset), Math.max(to, offset + bytes)];
    const gap = offset >= to ? offset - to : from - offset - bytes;
    if (gap < 0 || gap > maxGapBytes || end - start > maxBytes || points + candidate.node.count > maxPoints)
      return false;
    [from, to, points] = [start, end, points + candidate.node.count];
    joinedRanges.push(candidate);
    return true;
  };
  const firstLater = ranges.findIndex(({ range }) => range.offset >= to);
  const laterRanges = firstLater < 0 ? [] : ranges.slice(firstLater);
  const previousRanges = (firstLater < 0 ? ranges : ranges.slice(0, firstLater)).toReversed();
  // `every` stops at the first node that is not adjacent.
  laterRanges.every(tryJoin);
  previousRanges.every(tryJoin);
  return [node, ...joinedRanges.sort((a, b) => a.range.offset - b.range.offset).map((joined) => joined.node)];
}

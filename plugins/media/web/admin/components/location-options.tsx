import { observer } from 'mobx-react-lite';
import type { LocationNode } from '#core';
import { Locations, useService } from '#core/web';

/** The person's location tree as indented options of a `Select`. */
export const LocationOptions = observer(function LocationOptions() {
  return renderOptions(useService(Locations).roots, 0);
});

function renderOptions(nodes: readonly LocationNode[], depth: number): React.ReactNode[] {
  return nodes.flatMap((node) => [
    <option key={node.uid} value={node.uid}>
      {'\u00a0'.repeat(4 * depth) + node.name}
    </option>,
    ...renderOptions(node.children, depth + 1),
  ]);
}

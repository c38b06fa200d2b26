import { Badge } from '#core/ui';
import { useText } from '#core/web';

export function StatusBadge({ active }: { readonly active: boolean }) {
  const t = useText();
  return (
    <Badge appearance="tint" color={active ? 'success' : 'informative'}>
      {t(active ? 'masters.active' : 'masters.inactive')}
    </Badge>
  );
}

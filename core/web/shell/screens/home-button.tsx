import { useNavigate } from 'react-router-dom';
import { routeUrl, routes } from '#core';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/base.ts';

/** A button that leads home, for screens without content. */
export function HomeButton({
  primary = true,
  label = 'core.home',
}: {
  readonly primary?: boolean;
  /** Message id. */
  readonly label?: string;
}) {
  const text = useText();
  const navigate = useNavigate();
  return (
    <Button appearance={primary ? 'primary' : 'secondary'} onClick={() => void navigate(routeUrl(routes.home, {}))}>
      {text(label)}
    </Button>
  );
}

import { act, screen } from '@testing-library/react';
import { observer } from 'mobx-react-lite';
import { expect, it } from 'vitest';
import { useFormats } from '#core/web';
import { buildMe, FakeServer, renderScreen } from '#core/testing/web';

const Shown = observer(function Shown() {
  const { number, compact, percent, length, instant } = useFormats('Europe/Oslo');
  return (
    <p>
      {[number(1234567.5, 1), compact(1500), percent(0.2), length(0.3048), instant('2026-11-21T05:00:00Z')].join(' | ')}
    </p>
  );
});

it(
  "[ANA-03] [TOUR-10] shows numbers, lengths and times in the person's language and unit, at the " + "site's time",
  async () => {
    const { core } = await renderScreen(<Shown />, {
      me: buildMe({ preferences: { lengthUnit: 'ft' } }),
      server: new FakeServer().on('PUT /api/me/preferences', ({ body }) => ({ status: 200, body })),
    });
    expect(screen.getByText(/K/).textContent).toMatch(
      /^12,34,567\.5 \| 1\.5K \| 20% \| 1\sft \| .*21.*2026.*(CET|GMT\+1)$/,
    );
    await act(() => core.i18n.setLanguage('fr'));
    expect(screen.getByText(/K/).textContent).toMatch(/^12\s34\s567,5 \| 1,5K \| 20\s% \| 1\sft \| 21 nov\. 2026/);
  },
);

import { act, screen } from '@testing-library/react';
import { observer } from 'mobx-react-lite';
import { expect, it } from 'vitest';
import { Locations, useFormats } from '#core/web';
import { buildMe, buildProduct, buildSite, buildUnit, FakeServer, renderScreen } from '#core/testing/web';

const noonInUtc = '2026-06-21T12:00:00Z';

const FormattedValues = observer(function FormattedValues() {
  const { number, compact, percent, length, instant } = useFormats('oslo');
  return (
    <p>
      {[number(1234567.5, 1), compact(1500), percent(0.2), length(0.3048), instant('2026-11-21T05:00:00Z')].join(' | ')}
    </p>
  );
});

const Row = observer(function Row({ location }: { readonly location?: string }) {
  const { instant, day, calendarDay, timeZone } = useFormats(location);
  return <li>{[instant(noonInUtc), day('2026-06-20T20:00:00Z'), calendarDay('2026-06-21'), timeZone].join(' | ')}</li>;
});

const sites = () =>
  new FakeServer().on('GET /api/locations', {
    status: 200,
    body: [
      buildSite('oslo', { timeZone: 'Europe/Oslo' }),
      buildUnit('oslo-unit', 'oslo'),
      buildSite('mumbai', { timeZone: 'Asia/Kolkata' }),
      buildUnit('mumbai-unit', 'mumbai'),
      { ...buildSite('plain'), site: undefined },
      buildSite('new', { timeZone: 'Mars/Olympus_Mons' }),
    ],
  });

it("[ANA-03] [TOUR-10] formats numbers, lengths and times in the person's language and unit and the site's time", async () => {
  const server = sites().on('PUT /api/me/preferences', ({ body }) => ({ status: 200, body }));
  const { core } = await renderScreen(<FormattedValues />, {
    me: buildMe({ preferences: { lengthUnit: 'ft' } }),
    server,
  });
  await act(() => core.host.root.get(Locations).load());
  expect(screen.getByText(/K/).textContent).toMatch(
    /^12,34,567\.5 \| 1\.5K \| 20% \| 1\sft \| .*21.*2026.*(CET|GMT\+1)$/,
  );
  await act(() => core.i18n.setLanguage('fr'));
  expect(screen.getByText(/K/).textContent).toMatch(
    /^12\s34\s567,5 \| 1,5K \| 20\s% \| 1\sft \| 21 nov\. 2026, 06:00 UTC\+1$/,
  );
});

it('formats each row of a list with the time zone of its site', async () => {
  const { core } = await renderScreen(
    <ul>
      <Row location="oslo-unit" />
      <Row location="mumbai-unit" />
      <Row location="plain" />
      <Row location="nowhere" />
      <Row />
      <Row location="new" />
    </ul>,
    { server: sites(), language: 'fr', product: buildProduct({ timeZone: 'America/New_York' }) },
  );
  const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  const newYork = '21 juin 2026, 08:00 UTC−4 | 20 juin 2026, UTC−4 | 21 juin 2026 | America/New_York';
  expect(rows()).toEqual(Array<string>(6).fill(newYork));
  await act(() => core.host.root.get(Locations).load());
  expect(rows()).toEqual([
    '21 juin 2026, 14:00 UTC+2 | 20 juin 2026, UTC+2 | 21 juin 2026 | Europe/Oslo',
    '21 juin 2026, 17:30 UTC+5:30 | 21 juin 2026, UTC+5:30 | 21 juin 2026 | Asia/Kolkata',
    newYork,
    newYork,
    newYork,
    // A zone that this browser does not know.
    '21 juin 2026, 12:00 UTC | 20 juin 2026, UTC | 21 juin 2026 | UTC',
  ]);
});

it('updates when an admin changes the site record', async () => {
  const server = sites();
  const { core } = await renderScreen(<Row location="oslo" />, { server, language: 'fr' });
  const locations = core.host.root.get(Locations);
  await act(() => locations.load());
  server.on('GET /api/locations', { status: 200, body: [buildSite('oslo', { timeZone: 'Europe/London' })] });
  await act(() => locations.load());
  expect(screen.getByRole('listitem').textContent).toMatch(/^21 juin 2026, 13:00 UTC\+1/);
});

import { expect, it } from 'vitest';
import { describeNextStep } from './next-step.ts';

const project = '/opt/walkdown';
const acme = { root: project, currentFolder: project, out: '/srv/acme', name: 'acme', profile: '../acme/profile.json' };

it("names npx only in the project, and the program's path elsewhere", () => {
  expect(describeNextStep(acme)).toBe('Next: npx walkdown serve --out /srv/acme --first-admin <your mail address>');
  expect(describeNextStep({ ...acme, currentFolder: '/opt/walkdown/docs' })).toMatch(/^Next: npx walkdown serve /);
  for (const from of ['/opt/acme', '/opt', '/opt/walkdown-acme'])
    expect(describeNextStep({ ...acme, currentFolder: from })).toMatch(
      /^Next: node \/opt\/walkdown\/cli\/walkdown\.mjs serve --out \/srv\/acme /,
    );
});

it('names the profile if the product is in its default folder, and otherwise a valid path', () => {
  const usual = `${project}/dist/acme`;
  expect(describeNextStep({ ...acme, out: usual })).toContain(' serve --profile ../acme/profile.json ');
  expect(describeNextStep({ ...acme, out: `${project}/out/acme` })).toContain(' serve --out out/acme ');
  expect(describeNextStep({ ...acme, out: `${project}/out/acme`, currentFolder: `${project}/docs` })).toContain(
    ` serve --out ${project}/out/acme `,
  );
  expect(describeNextStep({ ...acme, out: '/srv/Société du $Gaz' })).toContain(
    ' serve --out "/srv/Société du \\$Gaz" ',
  );
});

it('explains where to copy an archive and how to start it', () => {
  const archive = '/srv/acme-0.1.0-linux-x64-glibc.tar.gz';
  expect(describeNextStep({ ...acme, archive })).toBe(
    `Next: copy ${archive} to its machine, and there:\n  tar -xzf acme-0.1.0-linux-x64-glibc.tar.gz\n` +
      '  WALKDOWN_FIRST_ADMIN=<your mail address> node acme/server/server.mjs',
  );
});

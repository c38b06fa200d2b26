import { expect, it } from 'vitest';
import { Secret } from '../../kernel/secret.ts';
import { describeProviders } from './describe-providers.ts';

const provider = { issuer: 'https://id.example', clientId: 'tours', clientSecret: new Secret('secret') };
const signOn = {
  first: { ...provider, mailDomains: ['contoso.example'] },
  second: { ...provider, mailDomains: ['fabrikam.example'] },
};
const contoso = { id: 'first', label: 'Contoso' } as const;
const fabrikam = { id: 'second', label: 'Fabrikam' } as const;

it('[PRO-02] names only the providers that accept the person', () => {
  const describeAll = (providers: readonly (typeof contoso | typeof fabrikam)[]) =>
    ['eve@contoso.example', 'eve@fabrikam.example', 'eve@elsewhere.example'].map((username) =>
      describeProviders({ type: 'AD', providers: [...providers] }, signOn, { username, user_type: 'TENANT_USER' }),
    );
  expect(describeAll([contoso, fabrikam])).toEqual(['Contoso', 'Fabrikam', 'Contoso / Fabrikam']);
  expect(describeAll([contoso])).toEqual(['Contoso', undefined, 'Contoso']);
});

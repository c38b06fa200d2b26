/**
 * An OpenID Connect provider for tests, in its own process. Accepts any login name, which is both subject and email
 * address, `<subject>|<email address>`, or `<subject>|<email address>|<groups>`. Groups are separated by commas; `*`
 * stands for more groups than a token can hold. Sends its issuer by IPC.
 */
import http from 'node:http';
import { Provider } from 'oidc-provider';

const { clientId, clientSecret, returnUrl } = JSON.parse(process.argv[2]);

const toEmail = (id) => id.split('|')[1] ?? id;

function toGroups(id) {
  const groups = id.split('|')[2];
  if (groups === undefined) return {};
  return groups === '*'
    ? { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://groups.example' } } }
    : { groups: groups.split(',').filter((group) => group !== '') };
}

const server = http.createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [returnUrl],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        subject_type: 'pairwise',
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    findAccount: (_context, id) => {
      const email = toEmail(id);
      const address = email === '' ? {} : { email, email_verified: !email.startsWith('unverified') };
      return { accountId: id, claims: () => ({ sub: id, ...address, name: email, ...toGroups(id) }) };
    },
    subjectTypes: ['pairwise'],
    pairwiseIdentifier: (_context, id) => id.split('|')[0],
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['only for tests'] },
    ttl: { AuthorizationCode: 60 },
  });
  server.on('request', provider.callback());
  process.send({ issuer });
});

process.on('disconnect', () => process.exit(0));

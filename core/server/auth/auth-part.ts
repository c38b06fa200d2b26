import { routes } from '#core';
import { AccessChanges } from '../access/access-changes.ts';
import { LocationStore } from '../access/location-store.ts';
import { Roles } from '../access/roles.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { seedDemoUsers } from './seed-demo-users.ts';
import { Authenticator } from '../kernel/authenticator.ts';
import type { CoreContext, CorePart } from '../kernel/core-part.ts';
import { scheduleCleanup } from '../kernel/schedule-cleanup.ts';
import { Mailer, type MailTransport } from '../mail/mailer.ts';
import { OutboxTransport } from '../mail/outbox-transport.ts';
import { ProductMailer } from '../mail/product-mailer.ts';
import { SmtpTransport } from '../mail/smtp-transport.ts';
import { AccountMails, Invitations } from './account-mails.ts';
import { AccessTokens } from './access-tokens.ts';
import { Accounts } from './accounts.ts';
import { authMigrations } from './auth-migrations.ts';
import type { AuthTables } from './auth-tables.ts';
import { DatabaseAccounts } from './database-accounts.ts';
import { FileTickets } from './file-tickets.ts';
import { KeyRing } from './key-ring.ts';
import { Callers, findCaller } from './load-caller.ts';
import { serveMe } from './me-api.ts';
import { createNoticeSources, NoticeSources } from './notice-sources.ts';
import { OneTimeCodes } from './one-time-codes.ts';
import { createOpenSessions, OpenSessions } from './open-sessions.ts';
import { serveOwnSessions } from './own-sessions-api.ts';
import { PasswordPolicy } from './password-policy.ts';
import { serveInvitations } from './invitation-api.ts';
import { PublicLinks } from './public-links.ts';
import { serveRegistration } from './registration-api.ts';
import { serveOwnSecondFactor } from './second-factor/own-second-factor-api.ts';
import { SealedKeys } from './second-factor/sealed-keys.ts';
import { serveSecondFactorLogin } from './second-factor/second-factor-login-api.ts';
import { SecondFactorResets, serveSecondFactorResets } from './second-factor/second-factor-resets.ts';
import { SecondFactors } from './second-factor/second-factors.ts';
import { SignInChallenges } from './second-factor/sign-in-challenges.ts';
import { serveSessions } from './session-api.ts';
import { SessionAuthenticator } from './session-authenticator.ts';
import { SessionDirectory } from './session-directory.ts';
import { measureSessions } from './session-metrics.ts';
import { SessionReply } from './session-reply.ts';
import { Sessions } from './sessions.ts';
import { SignInAudit } from './sign-in-audit.ts';
import { FederatedIdentities } from './sign-on/federated-identities.ts';
import { ProviderGroups } from './sign-on/provider-groups.ts';
import { IdentityProviders } from './sign-on/identity-providers.ts';
import { serveSignOn } from './sign-on/sign-on-api.ts';
import { SignInThrottle } from './sign-in-throttle.ts';

/** Accounts, sessions, one-time codes, mails and single sign-on. */
export const authPart: CorePart = {
  id: 'auth',
  migrations: authMigrations,
  mount(api, context) {
    const { database, clock, config, product, log } = context;
    const tables = database.of<AuthTables>('core');
    const changes = context.service(AccessChanges);
    const audit = context.service(AuditLog);
    const keys = new KeyRing(database, clock, config.tokenSecret, config.formerTokenSecret);
    const links = new PublicLinks(context.getPublicUrl);
    const mailer = new ProductMailer(createMailTransport(context), config.mail.from, product.title);
    const sessions = new Sessions({ database, changes, clock, keys, limits: config.session });
    const tokens = new AccessTokens(keys, clock, config.session.accessTokenLifetimeMs);
    const tickets = new FileTickets(keys);
    const throttle = new SignInThrottle(database, clock);
    const signIns = new SignInAudit({ audit, tables, keys, clock, log });
    const passwords = new PasswordPolicy(product);
    const reply = new SessionReply(tokens, tickets);

    const secondFactors = new SecondFactors({ tables, clock, sealedKeys: new SealedKeys(keys, clock), product, log });
    const challenges = new SignInChallenges(tables, clock);
    const codes = new OneTimeCodes(database, clock, keys, config.session.oneTimeCodeLifetimeMs);
    const mails = new AccountMails({
      tables,
      clock,
      codes,
      mailer,
      links,
      signIns,
      product,
      signOn: config.signOn,
      invitationLifetimeMs: config.session.invitationLifetimeMs,
      getJobs: () => context.jobs,
      log,
    });
    const accounts = new DatabaseAccounts({ database, changes, audit, clock, mails });

    context.provide(Accounts, accounts);
    context.provide(Callers, { find: (identifier) => findCaller(database, identifier) });
    context.provide(Invitations, mails);
    context.provide(Mailer, mailer);
    context.provide(OpenSessions, createOpenSessions({ database, changes, audit, clock }));
    context.provide(
      Authenticator,
      new SessionAuthenticator(tokens, tickets, new SessionDirectory(database, changes, clock)),
    );

    serveSessions(api, {
      tables,
      sessions,
      reply,
      throttle,
      signIns,
      secondFactors,
      challenges,
      loginType: product.login.type,
    });
    serveSecondFactorLogin(api, { sessions, reply, throttle, signIns, secondFactors, challenges });
    serveRegistration(api, { tables, clock, codes, mails, audit, signIns, passwords, changes });
    serveOwnSecondFactor(api, { tables, throttle, signIns, secondFactors, mails, loginType: product.login.type });
    const notices = createNoticeSources(log);
    context.provide(NoticeSources, notices);
    serveMe(api, { tables, accounts, throttle, changes, clock, audit, signIns, passwords, mails, notices });
    const locations = context.service(LocationStore);
    serveInvitations(api, { accounts, roles: context.service(Roles), locations, audit });
    context.provide(
      SecondFactorResets,
      serveSecondFactorResets(api, { tables, changes, audit, clock, mails, locations, roles: context.service(Roles) }),
    );
    serveOwnSessions(api, { tables, sessions, changes, signIns, clock });
    serveSignOn(api, {
      keys,
      clock,
      sessions,
      reply,
      signIns,
      groups: new ProviderGroups({ tables, audit, changes, log }),
      identities: new FederatedIdentities({ tables, clock, audit, signIns, changes, providers: config.signOn }),
      providers: new IdentityProviders({
        providers: config.signOn,
        returnUrl: () => links.createLink(routes.signOnReturn),
        clock,
        log,
      }),
    });

    measureSessions(context.metrics, tables, clock);
    context.onStart(() => scheduleFlush(context, signIns));
    context.onStart(() => mails.register());
    context.onStart(() =>
      scheduleCleanup(context, [
        () => sessions.removeOld(),
        () => throttle.removeOld(),
        () => codes.removeOld(),
        () => challenges.removeOld(),
      ]),
    );
  },
  demo: seedDemoUsers,
};

const flushIntervalMs = 10 * 60_000;

/**
 * Writes counted refusals to the audit log periodically and when the server stops, even if no further refusal follows.
 */
function scheduleFlush(context: Pick<CoreContext, 'log' | 'onStop'>, signIns: SignInAudit): void {
  const flush = () =>
    signIns
      .flush()
      .catch((error: unknown) => context.log.warn({ err: error }, 'Refused sign-ins could not be recorded.'));
  const timer = setInterval(() => void flush(), flushIntervalMs);
  timer.unref();
  context.onStop(async () => {
    clearInterval(timer);
    await flush();
  });
}

function createMailTransport(context: CoreContext): MailTransport {
  const { config, clock } = context;
  if (config.mail.kind === 'file') return new OutboxTransport(config.mail.folder, clock);
  const smtp = new SmtpTransport(config.mail.url);
  context.onStop(() => smtp.close());
  return smtp;
}

import { Type, type Static } from 'typebox';
import { noticeSeverities } from '../notices.ts';
import { serverEvent } from '../server-events.ts';
import { nullable } from './shapes.ts';

/** Admins wrote, changed or withdrew notices. Browsers load the notices that the person may see. */
export const noticesChanged = serverEvent('core.noticesChanged', Type.Object({}));

/** A notice that everybody can read on the login screen. */
export type SignInNotice = Static<typeof SignInNotice>;
export const SignInNotice = Type.Object({
  text: Type.String(),
  /** Null if `text` is used in French as well. */
  frenchText: nullable(Type.String()),
  severity: Type.Enum([...noticeSeverities]),
  /** Milliseconds until it ends. Null if it stays until it is withdrawn. */
  endsInMs: nullable(Type.Number()),
});

import { invalidRequest } from '../kernel/server-error.ts';

/** Characters that make mail programs read several addresses, or a display name. */
const unsafeInAddress = /[,;:<>()[\]\\"\p{C}]/u;

/** @throws `invalidRequest` (400) if mail programs would read more than one address */
export function assertUsernameIsMailAddress(username: string): void {
  if (!unsafeInAddress.test(username)) return;
  throw invalidRequest('This is not an email address.', [{ pointer: '/username', message: 'core.validation.email' }]);
}

import { getTokenName, type Token } from '#core';

/** The services of one server, by token. */
export class ServiceRegistry {
  readonly #services = new Map<Token<unknown>, { readonly implementation: unknown; readonly owner: string }>();

  provide<T>(token: Token<T>, implementation: T, owner: string): void {
    const existingService = this.#services.get(token);
    if (existingService)
      throw new Error(
        `Both "${existingService.owner}" and "${owner}" provide ${getTokenName(token)}: a service has one provider.`,
      );
    this.#services.set(token, { implementation, owner });
  }

  find<T>(token: Token<T>, consumer: string): T {
    const registration = this.#services.get(token);
    if (!registration)
      throw new Error(
        `"${consumer}" asks for ${getTokenName(token)}, which nobody provides. Is its provider enabled, and listed ` +
          'in "requires" (for a bridge, in "bridges")?',
      );
    // The token carries the service's type, and `provide` accepted the implementation by the same token.
    return registration.implementation as T;
  }
}

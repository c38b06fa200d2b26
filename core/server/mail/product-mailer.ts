import { composeMail } from './compose-mail.ts';
import type { Mailer, MailTransport } from './mailer.ts';

export class ProductMailer implements Mailer {
  readonly #transport: MailTransport;
  readonly #from: string;
  readonly #product: string;

  /** `product` is the product's title. */
  constructor(transport: MailTransport, from: string, product: string) {
    this.#transport = transport;
    this.#from = from;
    this.#product = product;
  }

  async send({ to, language, content }: Parameters<Mailer['send']>[0]): Promise<void> {
    await this.#transport.deliver({ from: this.#from, to, ...composeMail(content, language, this.#product), content });
  }
}

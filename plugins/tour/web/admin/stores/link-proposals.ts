import { action, computed, makeObservable, observableRef } from 'mobx';
import type { ContentLink, LinkProposals as ProposedLinks } from '../../../contract/api/tour-content.ts';
import type { ViewpointEditor } from './viewpoint-editor.ts';

export const defaultLinkMetres = 12;
export const maxLinkMetres = 100;

/** Returns the key that identifies a link. */
export const toLinkKey = ({ a, b }: Pick<ContentLink, 'a' | 'b'>): string => `${a} ${b}`;

/** Links that the server proposes, until the person saves or closes them. */
export class LinkProposals {
  /** Undefined until the proposals are loaded. */
  links: readonly ContentLink[] | undefined = undefined;
  /** Number of pairs that are not proposed, because a surface is between the viewpoints. */
  blockedCount = 0;
  /** Number of proposals whose line of sight is unknown. */
  unknownCount = 0;
  /** Keys of the links that the person accepts. */
  accepted: ReadonlySet<string> = new Set();
  running = false;
  failure: unknown = undefined;
  readonly #editor: ViewpointEditor;
  #controller: AbortController | undefined;

  constructor(editor: ViewpointEditor) {
    this.#editor = editor;
    makeObservable<this, 'start' | 'succeed' | 'fail'>(this, {
      links: observableRef,
      blockedCount: observableRef,
      unknownCount: observableRef,
      accepted: observableRef,
      running: observableRef,
      failure: observableRef,
      shownLinks: computed,
      toggle: action,
      toggleAll: action,
      close: action,
      start: action,
      succeed: action,
      fail: action,
    });
  }

  /** Proposals between viewpoints of the shown deck. */
  get shownLinks(): readonly ContentLink[] {
    if (!this.links || this.links.length === 0) return [];
    const uids = new Set(this.#editor.saved.map(({ uid }) => uid));
    const existingKeys = new Set(this.#editor.links.map(toLinkKey));
    return this.links.filter((link) => uids.has(link.a) && uids.has(link.b) && !existingKeys.has(toLinkKey(link)));
  }

  async load(distance: number): Promise<void> {
    const { tour, mutations } = this.#editor;
    if (!tour) return;
    this.#controller?.abort();
    const controller = new AbortController();
    this.#controller = controller;
    this.start();
    try {
      const proposals = await mutations.proposeLinks(tour, distance, controller.signal);
      if (!controller.signal.aborted) this.succeed(proposals);
    } catch (cause) {
      if (!controller.signal.aborted) this.fail(cause);
    }
  }

  /** Saves the accepted proposals of the shown deck by one request. */
  async save(): Promise<void> {
    const { tour, mutations } = this.#editor;
    const acceptedLinks = this.shownLinks.filter((link) => this.accepted.has(toLinkKey(link)));
    if (!tour || acceptedLinks.length === 0 || this.running) return;
    this.start();
    try {
      await mutations.saveLinks(tour, { saved: acceptedLinks, removed: [] });
      this.close();
    } catch (cause) {
      this.fail(cause);
    }
  }

  toggle(link: ContentLink): void {
    const acceptedKeys = new Set(this.accepted);
    if (!acceptedKeys.delete(toLinkKey(link))) acceptedKeys.add(toLinkKey(link));
    this.accepted = acceptedKeys;
  }

  toggleAll(checked: boolean): void {
    this.accepted = new Set(checked ? this.shownLinks.map(toLinkKey) : []);
  }

  close(): void {
    this.#controller?.abort();
    this.links = undefined;
    this.running = false;
    this.failure = undefined;
  }

  private start(): void {
    this.running = true;
    this.failure = undefined;
  }

  private succeed({ links, blocked, unknown }: ProposedLinks): void {
    this.links = links;
    this.blockedCount = blocked;
    this.unknownCount = unknown;
    this.accepted = new Set(links.map(toLinkKey));
    this.running = false;
  }

  private fail(cause: unknown): void {
    this.failure = cause;
    this.running = false;
  }
}

import { action, computed, makeObservable, observableRef } from 'mobx';
import type { Resource } from '#core/web';
import { readConflict } from '#core/ui-data';
import type { ContentDeck, ContentLink, ContentNode, TourContent } from '../../../contract/api/tour-content.ts';
import type { ContentMutations, TourRef } from './content-mutations.ts';
import { listDeckChoices, listNodesOn, listTourChoices } from './list-choices.ts';
import { isSamePose, type Pose } from './poses.ts';

const noContent: TourContent = { decks: [], tours: [], nodes: [], links: [], alignments: [], hasSurfaces: false };

/** Consecutive keys within this time are saved by one request. */
const saveDelayMs = 700;

/**
 * Viewpoints of one deck and one tour, with their selection and changed poses. A changed pose is kept until it is saved
 * or discarded.
 */
export class ViewpointEditor {
  chosenDeck: string | undefined = undefined;
  chosenTour: string | undefined = undefined;
  /** Uids of the selected viewpoints. */
  selected: ReadonlySet<string> = new Set();
  /** Changed poses by uid. */
  drafts: ReadonlyMap<string, Pose> = new Map();
  saving = false;
  /** Error of the last save, except a conflict. */
  failure: unknown = undefined;
  /** After a conflict, the current version of the viewpoint that somebody else has changed. */
  theirs: ContentNode | undefined = undefined;
  readonly mutations: ContentMutations;
  readonly #content: Pick<Resource<TourContent>, 'value'>;
  /** Uid of the location whose contents are edited. */
  readonly location: string;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(content: Pick<Resource<TourContent>, 'value'>, mutations: ContentMutations, location: string) {
    this.#content = content;
    this.mutations = mutations;
    this.location = location;
    makeObservable<this, 'startSaving' | 'finishSaving'>(this, {
      chosenDeck: observableRef,
      chosenTour: observableRef,
      selected: observableRef,
      drafts: observableRef,
      saving: observableRef,
      failure: observableRef,
      theirs: observableRef,
      decks: computed,
      deck: computed,
      tours: computed,
      tour: computed,
      saved: computed,
      nodes: computed,
      links: computed,
      selection: computed,
      choose: action,
      select: action,
      setDrafts: action,
      discard: action,
      startSaving: action,
      finishSaving: action,
    });
  }

  /** All contents of the location. Empty until they are loaded. */
  get content(): TourContent {
    return this.#content.value ?? noContent;
  }

  /** Uids of decks, and `noDeck` if there are viewpoints without a deck. */
  get decks(): readonly string[] {
    return listDeckChoices(this.content);
  }

  get deck(): ContentDeck | undefined {
    const { chosenDeck, decks } = this;
    const uid = chosenDeck !== undefined && decks.includes(chosenDeck) ? chosenDeck : decks[0];
    return this.content.decks.find((deck) => deck.uid === uid);
  }

  get tours(): readonly TourRef[] {
    return listTourChoices(this.content, this.location);
  }

  get tour(): TourRef | undefined {
    const { tours, deck } = this;
    const chosenTour = tours.find(({ uid }) => uid === this.chosenTour);
    if (chosenTour) return chosenTour;
    const firstNode = this.content.nodes.find((node) => node.deck === (deck?.uid ?? null));
    return tours.find(({ uid }) => uid === firstNode?.tour) ?? tours[0];
  }

  /** Saved viewpoints. */
  get saved(): readonly ContentNode[] {
    return listNodesOn(this.content, this.deck?.uid, this.tour?.uid);
  }

  /** Viewpoints on screen, with changed poses. */
  get nodes(): readonly ContentNode[] {
    const { saved, drafts } = this;
    return drafts.size === 0 ? saved : saved.map((node) => ({ ...node, ...drafts.get(node.uid) }));
  }

  /** Links of which both ends are shown. */
  get links(): readonly ContentLink[] {
    const uids = new Set(this.saved.map(({ uid }) => uid));
    return this.content.links.filter(({ a, b }) => uids.has(a) && uids.has(b));
  }

  get selection(): readonly ContentNode[] {
    return this.nodes.filter(({ uid }) => this.selected.has(uid));
  }

  /** Shows another deck or tour. Unsaved poses are discarded. */
  choose({ deck = this.chosenDeck, tour = this.chosenTour }: { readonly deck?: string; readonly tour?: string }): void {
    this.discard();
    this.chosenDeck = deck;
    this.chosenTour = tour;
    this.selected = new Set();
  }

  /** Selects only these viewpoints, adds them to the selection, or toggles them. */
  select(uids: readonly string[], mode: 'only' | 'add' | 'toggle' = 'only'): void {
    const nextSelected = new Set(mode === 'only' ? [] : this.selected);
    for (const uid of uids) {
      if (mode === 'toggle' && nextSelected.has(uid)) nextSelected.delete(uid);
      else nextSelected.add(uid);
    }
    this.selected = nextSelected;
  }

  /** Selects the next or the previous viewpoint in walking order. */
  selectNext(step: 1 | -1, mode: 'only' | 'add'): void {
    const uids = this.nodes.map(({ uid }) => uid);
    const lastIndex = uids.indexOf([...this.selected].at(-1) ?? '');
    const nextUid = uids.at(lastIndex === -1 ? (step === 1 ? 0 : -1) : (lastIndex + step + uids.length) % uids.length);
    if (nextUid !== undefined) this.select([nextUid], mode);
  }

  /** Changes the poses of viewpoints without saving them. */
  setDrafts(change: (node: ContentNode) => Pose, uids: ReadonlySet<string> = this.selected): void {
    const drafts = new Map(this.drafts);
    for (const node of this.saved) {
      if (!uids.has(node.uid)) continue;
      const { position, heading } = change({ ...node, ...drafts.get(node.uid) });
      // During a save, `saved` is about to change, so a draft that equals it is kept.
      if (!this.saving && isSamePose(node, { position, heading })) drafts.delete(node.uid);
      else drafts.set(node.uid, { position, heading });
    }
    this.drafts = drafts;
  }

  /** Saves after a delay that each further change restarts. */
  saveSoon(): void {
    this.#cancelTimer();
    this.#timer = setTimeout(() => this.autoSave(), saveDelayMs);
  }

  /** Saves pending changes of `saveSoon` immediately. */
  saveNow(): void {
    if (this.#timer !== undefined) this.autoSave();
  }

  /** Saves, except after a conflict, which the person must resolve. */
  autoSave(): void {
    this.#cancelTimer();
    if (!this.theirs) void this.save();
  }

  /** Saves all changed poses together. Changes during a save are saved after it. */
  async save(): Promise<void> {
    this.#cancelTimer();
    const { tour, drafts } = this;
    if (this.saving) return this.saveSoon();
    const changedNodes = this.saved.filter((node) => !isSamePose(node, drafts.get(node.uid) ?? node));
    if (!tour || changedNodes.length === 0) return this.discard();
    this.startSaving();
    try {
      const nodes = changedNodes.map(({ uid, name, deck, version, ...pose }) => {
        const { position, heading } = drafts.get(uid) ?? pose;
        return { uid, name, deck, position, heading, version };
      });
      await this.mutations.updateNodes(tour, nodes, 'nodesMoved');
      this.finishSaving({ saved: drafts });
    } catch (cause) {
      const theirs = readConflict<ContentNode>(cause);
      this.finishSaving(theirs ? { theirs } : { failure: cause });
    }
  }

  discard(): void {
    this.#cancelTimer();
    this.drafts = new Map();
    this.failure = undefined;
    this.theirs = undefined;
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  private startSaving(): void {
    this.saving = true;
    this.failure = undefined;
    this.theirs = undefined;
  }

  private finishSaving(outcome: {
    readonly saved?: ReadonlyMap<string, Pose>;
    readonly theirs?: ContentNode;
    readonly failure?: unknown;
  }): void {
    this.saving = false;
    this.theirs = outcome.theirs;
    this.failure = outcome.failure;
    if (outcome.saved)
      this.drafts = new Map([...this.drafts].filter(([uid, pose]) => outcome.saved?.get(uid) !== pose));
  }
}

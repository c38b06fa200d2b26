import { action, computed, makeObservable, observableRef } from 'mobx';
import { readConflict, sendUndo, type LastChangeStore } from '#core/ui-data';
import { Resource, type HttpClient } from '#core/web';
import type {
  countTagPositions,
  getTagRules,
  ModelTagRules,
  placeModelTags,
  SavedTagRules,
  saveTagRules,
  TagRule,
} from '../../../contract/api/tag-rules.ts';
import type { Model } from '../../../contract/index.ts';
import { proposeRules } from './propose-rules.ts';

const rulesPath = '/api/model-3d/:location/models/:model/tag-rules';
const positionsPath = '/api/model-3d/:location/models/:model/tag-positions';

/** The edited tag rules of a model. Reports each saved change, so that it can be undone. */
export class TagRulesStore {
  readonly model: Pick<Model, 'uid' | 'name' | 'location'>;
  readonly resource: Resource<ModelTagRules>;
  /** Tags without a position that have an object. */
  readonly positions: Resource<{ readonly placeable: number; readonly several: number }>;
  edited: readonly TagRule[] | undefined = undefined;
  /** The current rules, if somebody else has changed them while they were edited. */
  theirs: SavedTagRules | undefined = undefined;
  /** Incremented when positions change, so that the trial is loaded again. */
  placementCount = 0;
  readonly #http: HttpClient;
  readonly #lastChange: LastChangeStore;

  constructor(http: HttpClient, lastChange: LastChangeStore, model: Pick<Model, 'uid' | 'name' | 'location'>) {
    this.model = model;
    this.#http = http;
    this.#lastChange = lastChange;
    const params = this.params;
    this.resource = new Resource((signal) => http.call<typeof getTagRules>('GET', rulesPath, { params }, { signal }));
    this.positions = new Resource((signal) =>
      http.call<typeof countTagPositions>('GET', positionsPath, { params }, { signal }),
    );
    makeObservable<this, 'setTheirs' | 'countPlacement'>(this, {
      edited: observableRef,
      theirs: observableRef,
      placementCount: observableRef,
      rules: computed,
      isProposal: computed,
      edit: action,
      discard: action,
      setTheirs: action,
      countPlacement: action,
    });
  }

  get params(): { readonly location: string; readonly model: string } {
    return { location: this.model.location, model: this.model.uid };
  }

  /** The rules as they are shown: edited, saved, or proposed for a model without any. */
  get rules(): readonly TagRule[] {
    const savedState = this.resource.value;
    if (this.edited) return this.edited;
    return savedState === undefined || savedState.version > 0
      ? (savedState?.rules ?? [])
      : proposeRules(savedState.paths);
  }

  get isProposal(): boolean {
    return this.edited === undefined && this.resource.value?.version === 0;
  }

  edit(rules: readonly TagRule[]): void {
    this.edited = rules;
  }

  discard(): void {
    this.edited = undefined;
    this.theirs = undefined;
  }

  /** Loads the rules and the state of the job that applies them. */
  async load(): Promise<void> {
    await Promise.all([this.resource.load(), this.positions.load()]);
  }

  /** Saves and applies the rules. After a conflict the next attempt replaces the rules of the other person. */
  async save(): Promise<void> {
    const version = this.theirs?.version ?? this.resource.value?.version ?? 0;
    try {
      const { change } = await this.#http.call<typeof saveTagRules>('PUT', rulesPath, {
        params: this.params,
        body: { version, rules: [...this.rules] },
      });
      await this.resource.load();
      this.discard();
      if (change !== null) this.#report(change, 'rulesSaved', {});
    } catch (cause) {
      const current = readConflict<SavedTagRules>(cause);
      if (!current) throw cause;
      this.setTheirs(current);
    }
  }

  /** Gives tags without a position the centre of their object. */
  async placeTags(): Promise<void> {
    const { change, placed } = await this.#http.call<typeof placeModelTags>('POST', positionsPath, {
      params: this.params,
      body: {},
    });
    await this.positions.load();
    this.countPlacement();
    if (change !== null) this.#report(change, 'tagsPlaced', { count: placed });
  }

  private setTheirs(theirs: SavedTagRules): void {
    this.edited = this.rules;
    this.theirs = theirs;
  }

  private countPlacement(): void {
    this.placementCount += 1;
  }

  #report(change: string, kind: 'rulesSaved' | 'tagsPlaced', values: Readonly<Record<string, number>>): void {
    this.#lastChange.report({
      uids: [change],
      texts: { done: `model-3d.rules.done.${kind}`, undone: `model-3d.rules.undone.${kind}` },
      values: { name: this.model.name, ...values },
      undo: (uid) => this.#undo(uid),
    });
  }

  async #undo(uid: string): Promise<string> {
    try {
      return await sendUndo(this.#http, uid);
    } finally {
      await this.load();
      this.countPlacement();
    }
  }
}

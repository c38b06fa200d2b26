import { action, computed, makeObservable, observableRef } from 'mobx';
import { linkTo, showView, viewWith, type ToolPlace } from '../viewer/tool-place.ts';

/** The fields that all stored items have. */
export interface StoredItem {
  readonly uid: string;
  readonly name: string;
  /** The view at creation, in the format of the address. */
  readonly view: string | null;
}

/** What `ItemStore` needs of the tour and its address. */
export interface ItemNames {
  /** The layer of the address that contains the uid of the selected item. */
  readonly layer: string;
  /** Id of the panel, a contribution to `tourPanels`. */
  readonly panel: string;
}

/** One type of stored items: its panel and its selected item. Observable. */
export abstract class ItemStore<Place extends ToolPlace, Item extends StoredItem> {
  /** Whether the stored items are drawn over the picture. */
  drawn = true;
  place: Place | undefined;
  readonly #names: ItemNames;

  protected constructor(names: ItemNames) {
    this.#names = names;
    makeObservable(this, {
      place: observableRef,
      drawn: observableRef,
      panelShown: computed,
      selected: computed,
      setDrawn: action,
      connect: action,
    });
  }

  get panelShown(): boolean {
    return this.place?.store.panel === this.#names.panel;
  }

  setPanelShown(shown: boolean): void {
    this.place?.store.setPanel(shown ? this.#names.panel : undefined);
  }

  setDrawn(drawn: boolean): void {
    this.drawn = drawn;
  }

  /** Uid of the selected item, which is part of the address. */
  get selected(): string | undefined {
    return this.place?.store.layers[this.#names.layer];
  }

  select(uid: string | undefined): void {
    this.place?.store.setLayer(this.#names.layer, uid);
  }

  connect(place: Place): void {
    this.place = place;
  }

  /** Restores the view in which the item was created. */
  goTo({ uid, view }: Item): void {
    this.select(uid);
    if (this.place) showView(this.place, view);
  }

  /** The address of the tour with this item selected. */
  formatAddress(item: Item): string {
    return linkTo(this.formatQuery(item));
  }

  protected formatQuery({ uid, view }: Item): string {
    return viewWith(view, { [this.#names.layer]: uid });
  }
}

/** The items of which one text contains the search text, ignoring case. */
export function filterByText<Item>(
  items: readonly Item[],
  words: string,
  getTexts: (item: Item) => readonly string[],
): readonly Item[] {
  const sought = words.trim().toLowerCase();
  return sought === ''
    ? items
    : items.filter((item) => getTexts(item).some((text) => text.toLowerCase().includes(sought)));
}

import { action, computed, makeObservable, observableRef } from 'mobx';
import { linkTo, showView, viewWith, type ToolPlace } from '../viewer/tool-place.ts';

/** What everything that people store in a tour has for a list and an address. */
export interface StoredItem {
  readonly uid: string;
  readonly name: string;
  /** The view in which it was made, as an address holds it. */
  readonly view: string | null;
}

/** What `ItemStore` needs to know of the address and of the frame of the tour. */
export interface ItemNames {
  /** Of the view in the address: the layer that holds the uid of the one that stands out. */
  readonly layer: string;
  /** Id of the panel, a contribution to `tourPanels`. */
  readonly panel: string;
}

/** One sort of what people store in a tour: its panel, and which one stands out. Observable. */
export abstract class ItemStore<Place extends ToolPlace, Item extends StoredItem> {
  /** Whether the stored ones are drawn over the picture. */
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

  /** Uid of the one that stands out; kept in the address. */
  get selected(): string | undefined {
    return this.place?.store.layers[this.#names.layer];
  }

  select(uid: string | undefined): void {
    this.place?.store.setLayer(this.#names.layer, uid);
  }

  connect(place: Place): void {
    this.place = place;
  }

  /** Looks at it as who made it did. */
  goTo({ uid, view }: Item): void {
    this.select(uid);
    if (this.place) showView(this.place, view);
  }

  /** An address that opens the tour there. */
  formatAddress(item: Item): string {
    return linkTo(this.formatQuery(item));
  }

  protected formatQuery({ uid, view }: Item): string {
    return viewWith(view, { [this.#names.layer]: uid });
  }
}

/** Those of which one of the texts holds the words, without regard to case. */
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

import { action, computed, makeObservable, observableRef } from 'mobx';
import { formatShareUrl, restoreItemView, addLayers, type ToolContext } from '../viewer/tool-context.ts';

/** The fields of all stored items that an `ItemStore` uses. */
export interface StoredItem {
  readonly uid: string;
  readonly name: string;
  /** The view at creation, as the query string of a tour URL. */
  readonly view: string | null;
}

/** The layer and the panel of one item type. */
export interface ItemStoreOptions {
  /** Id of the view layer. Its parameter in the tour URL contains the uid of the selected item. */
  readonly layer: string;
  /** Id of the panel, a contribution to `tourPanels`. */
  readonly panel: string;
  /** Id of the message that names the item type if a linked item does not exist, see `MissingPart`. */
  readonly missingMessage: string;
}

/** The panel, the overlay and the selected item of one item type. */
export abstract class ItemStore<Context extends ToolContext, Item extends StoredItem> {
  /** Whether the stored items are drawn over the picture. */
  overlayVisible = true;
  context: Context | undefined;
  readonly #options: ItemStoreOptions;

  protected constructor(options: ItemStoreOptions) {
    this.#options = options;
    makeObservable(this, {
      context: observableRef,
      overlayVisible: observableRef,
      panelOpen: computed,
      selected: computed,
      setOverlayVisible: action,
      connect: action,
    });
  }

  get panelOpen(): boolean {
    return this.context?.tourStore.panel === this.#options.panel;
  }

  setPanelOpen(open: boolean): void {
    this.context?.tourStore.setPanel(open ? this.#options.panel : undefined);
  }

  setOverlayVisible(overlayVisible: boolean): void {
    this.overlayVisible = overlayVisible;
  }

  /** Uid of the selected item, which is part of the URL. */
  get selected(): string | undefined {
    return this.context?.tourStore.layers[this.#options.layer];
  }

  /** Notifies the person that the linked item does not exist or is not shared with them. */
  reportMissing(): void {
    this.context?.tourStore.reportMissing({ message: this.#options.missingMessage });
  }

  select(uid: string | undefined): void {
    this.context?.tourStore.setLayer(this.#options.layer, uid);
  }

  connect(context: Context): void {
    this.context = context;
  }

  /** Restores the view in which the item was created. */
  goTo({ uid, view }: Item): void {
    this.select(uid);
    if (this.context) restoreItemView(this.context, view);
  }

  /** Formats a tour URL that opens with this item selected. */
  formatUrl(item: Item): string {
    return formatShareUrl(this.formatQuery(item));
  }

  protected formatQuery({ uid, view }: Item): string {
    return addLayers(view, { [this.#options.layer]: uid });
  }
}

/** Returns the items with at least one text that contains the search text, ignoring case. */
export function filterByText<Item>(
  items: readonly Item[],
  searchText: string,
  getTexts: (item: Item) => readonly string[],
): readonly Item[] {
  const query = searchText.trim().toLowerCase();
  return query === ''
    ? items
    : items.filter((item) => getTexts(item).some((text) => text.toLowerCase().includes(query)));
}

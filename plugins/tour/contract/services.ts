import { token, type LocationRow, type Point3, type ViewParts, type ViewType } from '#core';
import type { Deck, OpenedTour, TagDetails, TourLink, TourNode } from './api.ts';
import type { PanoramaView } from './services/panorama-engine.ts';
import type { TourValue } from './values/tour-value.ts';

export type LoadState = 'initial' | 'loading' | 'success' | 'failure';

/** The parts of a tour, loaded one after the other. */
export type TourPart = 'tour' | 'tools' | 'modules';

/** Why a part failed to load. The screen shows a message for each. */
export type TourFailure = 'offline' | 'noAccess' | 'notFound' | 'failed';

/** The view that a link requests. Missing parts are taken from the best view. */
export interface LinkedView extends ViewParts {
  /** Number of a tag to go to. In contrast to `sel`, the view turns to it unless the link has a direction. */
  readonly tag?: string;
}

/** A part of a link that could not be restored. */
export interface MissingPart {
  /** Id of a message that names the part within a list, such as "viewpoint HB-P07". */
  readonly message: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** The open tour and the person's position in it. Observable. One instance per page. */
export const TourStore = token<TourStore>('tour.TourStore');
export interface TourStore {
  readonly loading: Readonly<Record<TourPart, LoadState>>;
  /** Why `part` failed to load. */
  readonly failure:
    | { readonly part: TourPart; readonly reason: TourFailure; readonly reference: string | undefined }
    | undefined;
  readonly opened: OpenedTour | undefined;

  /** Id of the active tour module. */
  readonly category: string | undefined;
  /** Id of the secondary module of a split view. Never equal to the active module. */
  readonly secondaryModule: string | undefined;
  /** Degrees clockwise from north. */
  readonly pan: number;
  readonly searchText: string;
  readonly toolbarHidden: boolean;
  /** Uids of nodes. */
  readonly visitedNodes: readonly string[];
  readonly nodes: readonly TourNode[];
  /** The nodes that match the search text. */
  readonly nodeList: readonly TourNode[];
  /** The tour's own location and all locations below it. */
  readonly locationList: readonly LocationRow[];
  readonly currentNode: TourNode | undefined;
  /** Uid of the deck whose plan is shown. */
  readonly mapLevel: string | undefined;
  readonly selectedTag:
    | {
        readonly number: string;
        readonly state: LoadState;
        readonly details: TagDetails | undefined;
        /** Selected by a link or the browser's history, whose view must not change. */
        readonly restored: boolean;
      }
    | undefined;
  /**
   * The last tag that `goToTag` or a link without a direction showed, and the module that was active then. A free
   * camera of this module fits the tag into its view.
   */
  readonly approachedTag: { readonly number: string; readonly module: string | undefined } | undefined;

  /**
   * The top panel, at the right (a sheet at the bottom on a phone). The tour owns `places`, `search` and `tag`; other
   * values are ids of contributions to `tourPanels`. Closing the top panel shows the one below it.
   */
  readonly panel: string | undefined;
  /** Values that plugins store in the URL next to the view, by name, such as the selected annotation. */
  readonly layers: Readonly<Record<string, string>>;

  readonly links: readonly TourLink[];
  readonly deck: Deck | undefined;

  /** The parts of the opened link that could not be restored. The person is notified of them. */
  readonly missingParts: readonly MissingPart[];

  /**
   * Loads the tour of a location and shows the view of a link: its node, else the best node that sees its tag, else the
   * start node. `missingParts` are parts that the caller could not restore. A large tour is opened with the nearest
   * nodes first.
   */
  open(location: string, link?: LinkedView, missingParts?: readonly MissingPart[]): Promise<void>;
  /** Loads the remaining nodes of a large tour. Rejects with an ApiError. */
  loadAllNodes(): Promise<void>;
  reportMissing(part: MissingPart): void;
  /** Reports the load state of tools and modules. Called by the frame. */
  setLoading(part: 'tools' | 'modules', state: LoadState): void;
  /** Resets to the initial state. */
  reset(): void;

  /**
   * Goes to a node by its uid. Keeps the view direction unless `view` sets another. Ignores unknown uids. Waits for a
   * node that is not loaded yet.
   */
  goTo(node: string, view?: Partial<PanoramaView>): void;
  /**
   * Reports the position of a freely moving camera (`author` is the id of its module). The nearest node becomes the
   * current one. The eye position is unchanged.
   */
  moveTo(position: Point3, author: string): void;
  /** Activates a module. If it is the secondary module, both swap sides. */
  chooseModule(id: string): void;
  /** Opens, changes or (undefined) closes the split view. If it is the active module, both swap sides. */
  setSecondaryModule(id: string | undefined): void;
  search(text: string): void;
  /**
   * Selects a tag and opens its panel. Undefined closes the panel. If the panel covers the tag, the view turns until
   * the tag is visible, unless the selection is `restored`.
   */
  selectTag(number: string | undefined, options?: { readonly restored: boolean }): Promise<void>;
  /**
   * Selects a tag, goes to the best node that sees it (the current one if it sees the tag clearly, else the nearest
   * that does) and turns to it. To show the tag, also call `chooseModule` with a module that has a `viewType`.
   */
  goToTag(number: string): Promise<void>;
  setToolbarHidden(hidden: boolean): void;
  setMapLevel(deck: string | undefined): void;
  /** Reads a value that another plugin stores for the open tour. Observable. */
  read<T>(value: TourValue<T>): T;
  write<T>(value: TourValue<T>, next: T): void;
  /** Raises a panel to the top. Undefined closes the top panel and shows the one below. */
  setPanel(panel: string | undefined): void;
  /** Undefined removes the layer from the URL. */
  setLayer(name: string, value: string | undefined): void;
  /**
   * Binds a module's display options to a layer, so that a link restores the same view. Applies the layer's value
   * first, then writes each change to the layer. Returns the function that unbinds. The value of the layer remains.
   *
   * @param getValue returns the value for the layer, undefined for the default. It is observable.
   * @param applyValue applies a value of the URL that differs from `getValue`. Undefined if the layer was removed.
   */
  setViewLayer(
    name: string,
    getValue: () => string | undefined,
    applyValue: (value: string | undefined) => void,
  ): () => void;
}

export interface PanoView extends PanoramaView {
  readonly panoCode: string | undefined;
}

/** State of the viewing tools, shared by all modules with a view direction. Observable. */
export const TourTools = token<TourTools>('tour.TourTools');
export interface TourTools {
  readonly mode: ViewType;
  /** URL of the current panorama. */
  readonly panoFilePath: string | undefined;
  readonly viewConfigurations: { readonly scan: PanoramaView; readonly panorama: PanoView };
  /** The current view direction, in any mode. */
  readonly view: PanoramaView;
  /** Position of the eye in the site frame, metres. Undefined before a tour is open. */
  readonly position: Point3 | undefined;
  /**
   * Ids of the modules that last set the view and the position. Undefined if the tour did. Other visible modules follow
   * within the next frame, so that both panes of a split view look the same way.
   */
  readonly viewAuthor: string | undefined;
  readonly positionAuthor: string | undefined;
  /** The view requested by a link, a search or the browser's history. A new object for each request. */
  readonly requestedView: (Partial<PanoramaView> & { readonly turn: boolean }) | undefined;
  /** Changes the mode without changing the view direction. */
  setMode(mode: ViewType): void;
  /**
   * Sets the view as reported by a module (`author` is its id). Angles are normalised. The
   * author changes only if the view does.
   */
  setView(view: Partial<PanoramaView>, author?: string): void;
  setPosition(position: Point3, author?: string): void;
  /** Asks the active module to look in a direction, at once or (`turn`) by an eased turn. */
  look(view: Partial<PanoramaView>, turn: boolean): void;
  setPanorama(panoCode: string | undefined, filePath: string | undefined): void;
  reset(): void;
}

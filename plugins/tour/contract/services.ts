import { token, type LocationRow, type Point3, type ViewState, type ViewType } from '#core';
import type { Deck, OpenedTour, TagDetails, TourLink, TourNode } from './api.ts';
import type { PanoramaView } from './services/panorama-engine.ts';
import type { TourValue } from './values/tour-value.ts';

export type LoadState = 'initial' | 'loading' | 'success' | 'failure';

/** The parts of a tour that load one after the other. */
export type TourPart = 'tour' | 'tools' | 'modules';

/** Why a part did not load, for words on the screen. */
export type TourFailure = 'offline' | 'noAccess' | 'notFound' | 'failed';

/** What a tour holds and where the person is in it. Observable. One instance for the whole page. */
export const TourStore = token<TourStore>('tour.TourStore');
export interface TourStore {
  readonly loading: Readonly<Record<TourPart, LoadState>>;
  /** Of the part that failed. */
  readonly failure:
    | { readonly part: TourPart; readonly reason: TourFailure; readonly reference: string | undefined }
    | undefined;
  readonly opened: OpenedTour | undefined;

  /** Id of the tour module in use. */
  readonly category: string | undefined;
  /** Id of the module in the other half of a split view. Never that in use. */
  readonly beside: string | undefined;
  /** Degrees clockwise from north. */
  readonly pan: number;
  readonly searchText: string;
  readonly toolbarHidden: boolean;
  /** Uids of nodes. */
  readonly visitedNodes: readonly string[];
  readonly nodes: readonly TourNode[];
  /** The nodes that the search text leaves. */
  readonly nodeList: readonly TourNode[];
  /** The tour's own location and what lies below it. */
  readonly locationList: readonly LocationRow[];
  readonly currentNode: TourNode | undefined;
  /** Uid of the deck whose plan is shown. */
  readonly mapLevel: string | undefined;
  readonly selectedTag:
    | { readonly number: string; readonly state: LoadState; readonly details: TagDetails | undefined }
    | undefined;

  /**
   * The panel on top, at the right (on a phone a sheet at the bottom): `places`, `search` and `tag` are the tour's own,
   * any other is the id of a contribution to `tourPanels`. What lies below it shows again when it is closed.
   */
  readonly panel: string | undefined;
  /**
   * What plugins keep in the address beside the view, by names of their own, such as the annotation that stands out.
   */
  readonly layers: Readonly<Record<string, string>>;

  readonly links: readonly TourLink[];
  readonly deck: Deck | undefined;

  /**
   * Loads the tour of a location and stands at its start node, or where `view` says, or (without one) at the node with
   * the code `node`.
   */
  open(location: string, view?: ViewState, node?: string): Promise<void>;
  /** Reports how tools and modules load; the frame calls it. */
  setLoading(part: 'tools' | 'modules', state: LoadState): void;
  /** Back to the state before any tour. */
  reset(): void;

  /** Walks to a node, by its uid; the view direction stays unless `view` says otherwise. Unknown ones change nothing. */
  goTo(node: string, view?: Partial<PanoramaView>): void;
  /**
   * Somebody who moves freely (`author`, a module's id) stands there now: the nearest node becomes the current one, the
   * eye stays where it is.
   */
  moveTo(position: Point3, author: string): void;
  /** The module that stands in the other half already changes places with the one in use. */
  chooseModule(id: string): void;
  /**
   * Opens, changes or (undefined) ends the split view. The module in use cannot stand beside itself: it changes places.
   */
  setSecondaryModule(id: string | undefined): void;
  search(text: string): void;
  selectTag(number: string | undefined): Promise<void>;
  /**
   * Selects, and goes to the best node that sees it: the present one if it does, else the nearest; turns there. The
   * module in use stays: to look, also `chooseModule` one that has a `viewType`.
   */
  goToTag(number: string): Promise<void>;
  setToolbarHidden(hidden: boolean): void;
  setMapLevel(deck: string | undefined): void;
  /** What another plugin keeps with the open tour. Observable. */
  read<T>(value: TourValue<T>): T;
  write<T>(value: TourValue<T>, next: T): void;
  /** Brings a panel to the top; undefined closes that on top, and the one below it shows again. */
  setPanel(panel: string | undefined): void;
  /** Undefined takes it out of the address. */
  setLayer(name: string, value: string | undefined): void;
  /**
   * Keeps in a layer how a module shows things, so that a link opens the very view: takes what the address asks for,
   * then writes what is chosen. Returns the way out; what was chosen stays in the address.
   *
   * @param chosen in the words of the address, undefined where it need not say it; observable
   * @param take called with the words of the address where they are others than `chosen`; undefined where it has none
   *   any more
   */
  setViewLayer(name: string, chosen: () => string | undefined, take: (words: string | undefined) => void): () => void;
}

export interface PanoView extends PanoramaView {
  readonly panoCode: string | undefined;
}

/** The viewing tools' state, shared by all modules that have a view direction. Observable. */
export const TourTools = token<TourTools>('tour.TourTools');
export interface TourTools {
  readonly mode: ViewType;
  /** Address of the panorama in use. */
  readonly panoFilePath: string | undefined;
  readonly viewConfigurations: { readonly scan: PanoramaView; readonly panorama: PanoView };
  /** Where the person looks, whatever the mode. */
  readonly view: PanoramaView;
  /** Where the eye is: the site frame, metres. Undefined before a tour is open. */
  readonly position: Point3 | undefined;
  /**
   * Id of the module that set the view last, and of the one that moved the eye last; undefined where the tour itself
   * did. A module on screen that is not the author follows within the next frame: in a split view both look the same
   * way.
   */
  readonly viewAuthor: string | undefined;
  readonly positionAuthor: string | undefined;
  /**
   * A view that a module should turn to, given by a link, a search or the browser's history; a new object each time.
   */
  readonly wanted: (Partial<PanoramaView> & { readonly turn: boolean }) | undefined;
  /** The direction is carried over. */
  setMode(mode: ViewType): void;
  /**
   * A module (`author`, its id) says where the person looks now. Angles are normalised; a view that is the present one
   * changes nothing, its author neither.
   */
  setView(view: Partial<PanoramaView>, author?: string): void;
  setPosition(position: Point3, author?: string): void;
  /** Asks the module in use to look there, at once or (`turn`) by an eased turn. */
  look(view: Partial<PanoramaView>, turn: boolean): void;
  setPanorama(panoCode: string | undefined, filePath: string | undefined): void;
  reset(): void;
}

import type { Changed } from '#core/api';
import type { LastChangeStore } from '#core/ui-data';
import type { HttpClient } from '#core/web';
import type { RequestOf } from '#core';
import type { alignNode } from '../../../contract/api/alignment.ts';
import type {
  updateDeck,
  updateNodes,
  updateTour,
  ContentDeck,
  ContentNode,
  ContentTour,
  createDeck,
  createNodes,
  createTour,
  deleteDeck,
  deleteNodes,
  deleteTour,
  LinkProposals,
  proposeLinks,
  saveLinks,
} from '../../../contract/api/tour-content.ts';
import { maxNodesPerRequest } from '../../../contract/values/content-values.ts';
import { ChangeRunner, type ChangeSubject } from './change-runner.ts';
import type { ContentChangeKind } from './content-change-kinds.ts';

type CreatedNode = RequestOf<typeof createNodes>['body']['nodes'][number];
type UpdatedNode = RequestOf<typeof updateNodes>['body']['nodes'][number];

/** Identifies a tour in requests. `location` is a location where the caller may change the tour. */
export type TourRef = Pick<ContentTour, 'uid' | 'location'>;

/**
 * Changes decks, tours, viewpoints and links, reloads them, and reports each change so that it can be undone. Methods
 * reject with `ApiError` if the server refuses, after outdated content was reloaded.
 */
export class ContentMutations {
  readonly #http: HttpClient;
  readonly #runner: ChangeRunner;

  constructor(http: HttpClient, lastChange: LastChangeStore, reload: () => Promise<void>) {
    this.#http = http;
    this.#runner = new ChangeRunner(http, lastChange, reload);
  }

  createDeck(location: string, body: RequestOf<typeof createDeck>['body']): Promise<void> {
    const path = '/api/tour-content/:location/decks';
    const send = () => this.#http.call<typeof createDeck>('POST', path, { params: { location }, body });
    return this.#run([send], 'deckCreated', body);
  }

  updateDeck({ uid, location }: ContentDeck, body: RequestOf<typeof updateDeck>['body']): Promise<void> {
    const path = '/api/tour-content/:location/decks/:deck';
    const send = () => this.#http.call<typeof updateDeck>('PUT', path, { params: { location, deck: uid }, body });
    return this.#run([send], 'deckChanged', body);
  }

  deleteDeck({ uid, location, name, version }: ContentDeck): Promise<void> {
    const path = '/api/tour-content/:location/decks/:deck';
    const request = { params: { location, deck: uid }, query: { version } };
    return this.#run([() => this.#http.call<typeof deleteDeck>('DELETE', path, request)], 'deckDeleted', { name });
  }

  /** Reloads the content, and reports a change that a dialog has sent. */
  reportDeckChange(
    change: string | null,
    kind: 'planSaved' | 'planPlaced' | 'wallsSaved',
    { name }: ContentDeck,
  ): Promise<void> {
    return this.#run([async () => ({ change })], kind, { name });
  }

  createTour(location: string, body: RequestOf<typeof createTour>['body']): Promise<void> {
    const path = '/api/tour-content/:location/tours';
    const send = () => this.#http.call<typeof createTour>('POST', path, { params: { location }, body });
    return this.#run([send], 'tourCreated', body);
  }

  updateTour({ uid, location }: ContentTour, body: RequestOf<typeof updateTour>['body']): Promise<void> {
    const path = '/api/tour-content/:location/tours/:tour';
    const send = () => this.#http.call<typeof updateTour>('PUT', path, { params: { location, tour: uid }, body });
    return this.#run([send], 'tourChanged', body);
  }

  deleteTour({ uid, location, name, version }: ContentTour): Promise<void> {
    const path = '/api/tour-content/:location/tours/:tour';
    const request = { params: { location, tour: uid }, query: { version } };
    return this.#run([() => this.#http.call<typeof deleteTour>('DELETE', path, request)], 'tourDeleted', { name });
  }

  createNodes(tour: TourRef, nodes: readonly CreatedNode[]): Promise<void> {
    return this.#run(this.#listCreations(tour, nodes), 'nodesCreated', toSubject(nodes), countRows(nodes));
  }

  updateNodes(tour: TourRef, nodes: readonly UpdatedNode[], kind: 'nodesMoved' | 'nodesChanged'): Promise<void> {
    return this.#run(this.#listUpdates(tour, nodes), kind, toSubject(nodes), countRows(nodes));
  }

  /** Changes and adds viewpoints. One undo reverses both. */
  applyPoses(
    tour: TourRef,
    { updated, created }: { readonly updated: readonly UpdatedNode[]; readonly created: readonly CreatedNode[] },
  ): Promise<void> {
    const toKind = (rowCount: number): ContentChangeKind =>
      updated.length === 0 ? 'nodesCreated' : rowCount <= updated.length ? 'nodesChanged' : 'posesApplied';
    // Updates are sent first, because only they can be refused by changes of others.
    const sends = [...this.#listUpdates(tour, updated), ...this.#listCreations(tour, created)];
    return this.#run(sends, toKind, toSubject([...updated, ...created]), [
      ...countRows(updated),
      ...countRows(created),
    ]);
  }

  alignNode(
    { location, node }: { readonly location: string; readonly node: ContentNode },
    body: RequestOf<typeof alignNode>['body'],
  ): Promise<void> {
    const path = '/api/tour-content/:location/nodes/:node/alignment';
    const params = { location, node: node.uid };
    const send = () => this.#http.call<typeof alignNode>('POST', path, { params, body });
    return this.#run([send], 'nodesAligned', { name: node.name, count: body.others.length + 1 });
  }

  deleteNodes(
    tour: TourRef,
    nodes: readonly { readonly uid: string; readonly name: string; readonly version: number }[],
  ): Promise<void> {
    const path = '/api/tour-content/:location/tours/:tour/nodes/deletion';
    const params = toParams(tour);
    const sends = toChunks(nodes.map(({ uid, version }) => ({ uid, version }))).map(
      (chunk) => () => this.#http.call<typeof deleteNodes>('POST', path, { params, body: { nodes: chunk } }),
    );
    return this.#run(sends, 'nodesDeleted', toSubject(nodes), countRows(nodes));
  }

  saveLinks(tour: TourRef, body: RequestOf<typeof saveLinks>['body']): Promise<void> {
    const path = '/api/tour-content/:location/tours/:tour/links';
    const send = () => this.#http.call<typeof saveLinks>('POST', path, { params: toParams(tour), body });
    const isRemoval = body.saved.length === 0;
    const { length: count } = isRemoval ? body.removed : body.saved;
    return this.#run([send], isRemoval ? 'linksRemoved' : 'linksSaved', { name: '', count });
  }

  proposeLinks(tour: TourRef, distance: number, signal: AbortSignal): Promise<LinkProposals> {
    const path = '/api/tour-content/:location/tours/:tour/link-proposals';
    return this.#http.call<typeof proposeLinks>(
      'GET',
      path,
      { params: toParams(tour), query: { distance } },
      { signal },
    );
  }

  #listCreations(tour: TourRef, nodes: readonly CreatedNode[]): (() => Promise<Changed>)[] {
    const path = '/api/tour-content/:location/tours/:tour/nodes';
    const params = toParams(tour);
    return toChunks(nodes).map(
      (chunk) => () => this.#http.call<typeof createNodes>('POST', path, { params, body: { nodes: chunk } }),
    );
  }

  #listUpdates(tour: TourRef, nodes: readonly UpdatedNode[]): (() => Promise<Changed>)[] {
    const path = '/api/tour-content/:location/tours/:tour/nodes';
    const params = toParams(tour);
    return toChunks(nodes).map(
      (chunk) => () => this.#http.call<typeof updateNodes>('PUT', path, { params, body: { nodes: chunk } }),
    );
  }

  #run(...parameters: Parameters<ChangeRunner['run']>): Promise<void> {
    return this.#runner.run(...parameters);
  }
}

const toParams = ({ uid, location }: TourRef) => ({ location, tour: uid });

const toSubject = (nodes: readonly { readonly name: string }[]): ChangeSubject => ({
  name: nodes[0]?.name ?? '',
  count: nodes.length,
});

/** Lists the number of rows of each request. */
const countRows = (rows: readonly unknown[]): readonly number[] => toChunks(rows).map(({ length }) => length);

function toChunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / maxNodesPerRequest) }, (_, index) =>
    items.slice(index * maxNodesPerRequest, (index + 1) * maxNodesPerRequest),
  );
}

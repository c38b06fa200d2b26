import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { act, screen, within } from '@testing-library/react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Page } from '#core/api';
import {
  FakeServer,
  ConnectionLostError,
  pretendSize,
  renderScreen,
  type FakeReply,
  type WebSetup,
} from '#core/testing/web';
import { HttpClient } from '../../kernel/services.ts';
import { useService } from '../../kernel/use-service.ts';
import type { PagedRows } from '../../resource/paged-resource.ts';
import { usePagedResource } from '../../resource/use-paged-resource.ts';
import { ResourceView } from '../resource-view.tsx';
import type { DataColumn } from './data-column.ts';
import { DataTable, type DataTableSort } from './data-table.tsx';
import { DataTableRow } from './data-table-row.tsx';

interface Valve {
  readonly tag: string;
}
const columns: readonly DataColumn<Valve>[] = [
  { id: 'tag', title: 'Tag', width: '1fr', sortable: true, titleWhenStacked: true, cell: ({ tag }) => <b>{tag}</b> },
  {
    id: 'actions',
    title: 'Actions',
    titleHidden: true,
    width: '200px',
    cell: ({ tag }, tabIndex) => (
      <>
        <button tabIndex={tabIndex}>{`Edit ${tag}`}</button>
        <button tabIndex={tabIndex}>{`Show ${tag}`}</button>
      </>
    ),
  },
];

const Valves = observer(function Valves() {
  const http = useService(HttpClient);
  const [sort, setSort] = useState<DataTableSort>();
  const rows = usePagedResource(
    (page, signal) => http.raw<Page<Valve>>({ url: '/api/valves', params: { ...page, ...sort }, signal }),
    [http, sort],
    undefined,
  );
  return (
    <>
      <button onClick={() => rows.load()}>Load again</button>
      <ResourceView resource={rows}>
        {() => (
          <DataTable
            label="Valves"
            rows={rows}
            columns={columns}
            rowHeightPx={40}
            narrow={{ belowPx: 400, rowHeightPx: 100 }}
            sort={sort}
            onSort={setSort}
            empty={<p>No valves</p>}
          />
        )}
      </ResourceView>
    </>
  );
});

const buildPage = (offset: number, total = 100_000): FakeReply => ({
  status: 200,
  body: {
    total,
    offset,
    rows: Array.from({ length: Math.min(200, total - offset) }, (_, index) => ({ tag: `V-${offset + index}` })),
  } satisfies Page<Valve>,
});

async function setup(handler?: (offset: number) => FakeReply | Promise<FakeReply>, changes: WebSetup = {}) {
  const answer = handler ?? buildPage;
  const server = new FakeServer().on('GET /api/valves', ({ query }) => answer(Number(query.get('offset'))));
  const rendered = await renderScreen(<Valves />, { server, ...changes });
  const grid = await screen.findByRole('grid', { name: 'Valves' });
  return { ...rendered, server, grid };
}
const getFocused = () => document.activeElement;
const getFocusedRow = () => getFocused()?.getAttribute('aria-rowindex');
const getScroller = (grid: HTMLElement) => grid.parentElement as HTMLElement;

/** Reports the same size for each observed element. */
class FixedSizeObserver {
  static readonly widthPx = 390;
  static readonly heightPx = 72;
  readonly #report: (entries: readonly object[]) => void;

  constructor(report: (entries: readonly object[]) => void) {
    this.#report = report;
  }

  observe(target: Element): void {
    const { widthPx: inlineSize, heightPx: blockSize } = FixedSizeObserver;
    queueMicrotask(() => act(() => this.#report([{ target, borderBoxSize: [{ inlineSize, blockSize }] }])));
  }

  unobserve(): void {}

  disconnect(): void {}
}

let restoreSizes: () => void;
beforeEach(() => {
  restoreSizes = pretendSize(1000, 480);
});
afterEach(() => restoreSizes());

describe('DataTable', () => {
  it('reports all rows, but renders and loads only the visible ones', async () => {
    const { grid, server } = await setup();
    await screen.findByText('V-0');
    expect(grid.getAttribute('aria-rowcount')).toBe('100001');
    const rows = within(grid).getAllByRole('row');
    expect(rows.slice(0, 3).map((row) => row.getAttribute('aria-rowindex'))).toEqual(['1', '2', '3']);
    expect(rows.length).toBeLessThan(30);
    act(() => getScroller(grid).scrollTo({ top: 40 * 50_000 }));
    expect(await screen.findByText('V-50000')).toBeDefined();
    expect(server.sentTo('GET /api/valves').map(({ query }) => query.get('offset'))).toEqual(['0', '49800', '50000']);
  });

  it('stacks the cells of narrow rows as high as their content, with titles in columns with `titleWhenStacked`', async () => {
    restoreSizes();
    restoreSizes = pretendSize(390, 480);
    vi.stubGlobal('ResizeObserver', FixedSizeObserver);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { grid } = await setup();
    const row = (await screen.findByText('V-0')).closest<HTMLElement>('[role=row]')!;
    expect(within(row).getAllByRole('gridcell')[0]!.textContent).toBe('TagV-0');
    expect(row.style.height).toBe('');
    expect((await screen.findByText('V-2')).closest<HTMLElement>('[role=row]')!.style.top).toBe('144px');
    expect(within(grid).getAllByRole('row').length).toBeLessThan(30);
  });

  it('moves between rows by keys, with one row in the tab order', async () => {
    const { grid, user } = await setup();
    await screen.findByText('V-0');
    expect(
      within(grid)
        .getAllByRole('row')
        .filter(({ tabIndex }) => tabIndex === 0),
    ).toHaveLength(1);
    await user.tab();
    await user.tab();
    await user.tab();
    expect(getFocusedRow()).toBe('2');
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    expect(getFocusedRow()).toBe('3');
    await user.keyboard('{PageDown}');
    expect(getFocusedRow()).toBe('13');
    await user.keyboard('{PageUp}{PageUp}');
    expect(getFocusedRow()).toBe('2');
    await user.keyboard('{End}');
    expect(getFocusedRow()).toBe('100001');
    expect(await screen.findByText('V-99999')).toBeDefined();
    await user.keyboard('{ArrowDown}{Home}');
    expect(getFocusedRow()).toBe('2');
    expect(getScroller(grid).scrollTop).toBe(0);
  });

  it('moves to the controls of a row by Right and Enter, and back by Left and Escape', async () => {
    const { user } = await setup();
    const row = (await screen.findByText('V-1')).closest<HTMLElement>('[role=row]');
    act(() => row?.focus());
    await user.keyboard('{Enter}');
    expect(getFocused()?.textContent).toBe('Edit V-1');
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(getFocused()?.textContent).toBe('Show V-1');
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(getFocused()).toBe(row);
    await user.keyboard('{ArrowRight}{Escape}');
    expect(getFocused()).toBe(row);
    await user.keyboard('{ArrowRight}{ArrowDown}');
    expect(getFocusedRow()).toBe('4');
  });

  it('has only the controls of the active row in the tab order', async () => {
    const { user } = await setup();
    await screen.findByText('V-0');
    await user.click(screen.getByRole('button', { name: 'Show V-2' }));
    const inOrder = screen.getAllByRole('button').filter(({ tabIndex }) => tabIndex === 0);
    expect(inOrder.map(({ textContent }) => textContent)).toEqual(['Load again', 'Tag', 'Edit V-2', 'Show V-2']);
  });

  it('keeps the focused row in the document when it is scrolled out of view', async () => {
    const { grid } = await setup();
    const row = (await screen.findByText('V-1')).closest<HTMLElement>('[role=row]');
    act(() => row?.focus());
    act(() => getScroller(grid).scrollTo({ top: 40 * 1000 }));
    await screen.findByText('V-1000');
    expect([row?.isConnected, getFocused()]).toEqual([true, row]);
  });

  it('sorts by a column and announces the order', async () => {
    const { grid, user, server } = await setup();
    await screen.findByText('V-0');
    const header = () => within(grid).getByRole('columnheader', { name: 'Tag' });
    expect(header().getAttribute('aria-sort')).toBe('none');
    await user.click(within(header()).getByRole('button'));
    expect(header().getAttribute('aria-sort')).toBe('ascending');
    const button = within(header()).getByRole('button');
    button.focus();
    await user.keyboard('{Enter}');
    expect(header().getAttribute('aria-sort')).toBe('descending');
    expect(getFocused()).toBe(button);
    expect(server.sentTo('GET /api/valves').map(({ query }) => query.get('direction'))).toEqual([
      null,
      'ascending',
      'descending',
    ]);
    expect(within(grid).getByRole('columnheader', { name: 'Actions' }).getAttribute('aria-sort')).toBeNull();
  });

  it('shows loading rows and retries failed rows', async () => {
    let broken = true;
    const { grid, user } = await setup((offset) => {
      if (offset > 0 && broken) throw new ConnectionLostError();
      return buildPage(offset);
    });
    await screen.findByText('V-0');
    act(() => getScroller(grid).scrollTo({ top: 40 * 1000 }));
    expect(within(grid).getAllByText('Loading…')[0]?.closest('[role=row]')?.getAttribute('aria-busy')).toBe('true');
    expect((await screen.findAllByText('This row could not be loaded.')).length).toBeGreaterThan(5);
    broken = false;
    const [again] = screen.getAllByRole('button', { name: 'Try again' });
    if (again) await user.click(again);
    expect(await screen.findByText('V-1000')).toBeDefined();
    expect(screen.queryByText('This row could not be loaded.')).toBeNull();
  });

  it('announces loading in French', async () => {
    const { grid } = await setup((offset) => (offset > 0 ? new Promise(() => undefined) : buildPage(offset)), {
      language: 'fr',
    });
    await screen.findByText('V-0');
    act(() => getScroller(grid).scrollTo({ top: 40 * 1000 }));
    expect(within(grid).getAllByText('Chargement…').length).toBeGreaterThan(5);
  });

  it('shows the empty state without rows', async () => {
    const { grid } = await setup((offset) => buildPage(offset, 0));
    const cell = (await screen.findByText('No valves')).closest('[role=gridcell]');
    expect(cell?.getAttribute('aria-colspan')).toBe('2');
    expect(grid.getAttribute('aria-rowcount')).toBe('1');
  });

  it('shrinks when a reload returns fewer rows', async () => {
    let total = 300;
    const { grid, user } = await setup((offset) => buildPage(offset, total));
    const row = (await screen.findByText('V-1')).closest<HTMLElement>('[role=row]');
    act(() => row?.focus());
    await user.keyboard('{End}');
    await screen.findByText('V-299');
    total = 3;
    await user.click(screen.getByRole('button', { name: 'Load again' }));
    expect(await screen.findByText('V-2')).toBeDefined();
    expect(grid.getAttribute('aria-rowcount')).toBe('4');
    expect(within(grid).getAllByRole('row')).toHaveLength(4);
  });

  it('renders the rows of a long table with low priority, except the active one', () => {
    const rows = {
      total: 1000,
      rowAt: () => ({ tag: 'V-1' }),
      failureAt: () => undefined,
    } as unknown as PagedRows<Valve>;
    // A server renders initial values only.
    const render = (props: { readonly active: boolean; readonly deferred: boolean }): string =>
      renderToString(
        <FluentProvider theme={webLightTheme}>
          <DataTableRow
            {...props}
            {...{ rows, columns, index: 5, topPx: 0, heightPx: 40, template: '1fr 200px', onFocus: () => undefined }}
          />
        </FluentProvider>,
      );
    expect(render({ active: false, deferred: true })).not.toContain('V-1');
    expect(render({ active: true, deferred: true })).toContain('Edit V-1');
    expect(render({ active: false, deferred: false })).toContain('Edit V-1');
  });
});

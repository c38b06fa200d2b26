import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ConnectionLostError, FakeServer, renderScreen, type FakeReply, type WebSetup } from '#core/testing/web';
import type { ContentDeck } from '../../../../contract/api/tour-content.ts';
import tour from '../../../index.ts';
import type { PdfFailure, PdfFile, PdfProblem } from '../../stores/pdf/pdf-file.ts';
import { PlanUploadDialog } from './plan-upload-dialog.tsx';

const plugins = [{ id: 'tour', settings: {}, web: tour, bridges: [] }];
const deck: ContentDeck = {
  uid: 'deck-1',
  code: 'MD-1',
  name: 'Main deck',
  location: 'u',
  elevation: 20,
  floor: 'PLATED',
  plan: null,
  walls: [],
  version: 3,
};
const planEndpoint = 'POST /api/tour-content/:location/decks/:deck/plan';
const savedReply: FakeReply = { status: 200, body: { change: 'change-1' } };
const pdfDocument = new File(['%PDF-1.7'], 'MD-1 rev 4.pdf', { type: 'application/pdf' });

/** Reports each observed element as visible, because jsdom has no layout. */
class FakeIntersectionObserver {
  readonly #onChange: IntersectionObserverCallback;
  constructor(onChange: IntersectionObserverCallback) {
    this.#onChange = onChange;
  }
  observe(): void {
    this.#onChange([{ isIntersecting: true } as IntersectionObserverEntry], this as unknown as IntersectionObserver);
  }
  unobserve(): void {}
  disconnect(): void {}
}
vi.stubGlobal('IntersectionObserver', FakeIntersectionObserver);

const buildPdf = (changes: Partial<PdfFile> = {}): PdfFile => ({
  pageCount: 3,
  drawThumbnail: vi.fn<PdfFile['drawThumbnail']>(async () => {}),
  render: vi.fn<PdfFile['render']>(async (page) => ({
    file: new File(['pixels'], `plan-${page}.png`, { type: 'image/png' }),
    width: 4096,
    height: 2896,
    reduced: false,
  })),
  close: vi.fn<() => void>(),
  ...changes,
});

async function setup({
  openPdf = async () => buildPdf(),
  server = new FakeServer().on(planEndpoint, savedReply),
  ...options
}: WebSetup & { openPdf?: () => Promise<PdfFile | PdfFailure> } = {}) {
  const onClose = vi.fn<() => void>();
  const onSaved = vi.fn<(change: string | null) => void>();
  const rendered = await renderScreen(
    <PlanUploadDialog location="u" deck={deck} onClose={onClose} onSaved={onSaved} openPdf={openPdf} />,
    { plugins, server, ...options },
  );
  const choose = (file: File) =>
    act(async () => void fireEvent.change(screen.getByTestId('file-input'), { target: { files: [file] } }));
  const upload = (name = 'Upload') => rendered.user.click(screen.getByText(name, { selector: 'button' }));
  const sent = () =>
    server
      .sentTo(planEndpoint)
      .map(({ path, query, body }) => [path, query.get('version'), ((body as FormData).get('file') as File).name]);
  return { ...rendered, server, choose, upload, sent, onClose, onSaved };
}

describe('PlanUploadDialog', () => {
  it('[DAT-02] uploads a chosen or dropped image', async () => {
    const { upload, sent, onClose, onSaved } = await setup();
    await upload();
    expect(screen.getByText('This is Mandatory')).toBeDefined();
    const zone = screen.getByTestId('file-input').parentElement!;
    fireEvent.drop(zone, { dataTransfer: { files: [new File(['x'], 'deck.WEBP')] } });
    await upload();
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith('change-1'));
    expect(onClose).toHaveBeenCalledOnce();
    expect(sent()).toEqual([['/api/tour-content/u/decks/deck-1/plan', '3', 'deck.WEBP']]);
  });

  it('refuses files of other types', async () => {
    const { choose, upload, sent } = await setup();
    await choose(new File(['x'], 'deck.dwg'));
    expect(screen.getByText('Please choose valid file.')).toBeDefined();
    await upload();
    expect(sent()).toEqual([]);
  });

  it('[DAT-02] draws the chosen page of a PDF and uploads it as an image', async () => {
    const pdf = buildPdf();
    const { choose, upload, sent, user, unmount } = await setup({ openPdf: async () => pdf });
    await choose(pdfDocument);
    expect(screen.getByText('Choose one of 3 pages')).toBeDefined();
    expect(pdf.drawThumbnail).toHaveBeenCalledTimes(3);
    await user.click(screen.getByLabelText('Page 2'));
    await upload();
    await waitFor(() => expect(sent()).toEqual([['/api/tour-content/u/decks/deck-1/plan', '3', 'plan-2.png']]));
    unmount();
    expect(pdf.close).toHaveBeenCalledOnce();
  });

  it('closes a PDF when another file is chosen', async () => {
    const pdf = buildPdf();
    const { choose } = await setup({ openPdf: async () => pdf });
    await choose(pdfDocument);
    await choose(new File(['x'], 'deck.png'));
    expect(pdf.close).toHaveBeenCalledOnce();
    expect(screen.queryByLabelText('Page 2')).toBeNull();
  });

  it.each<[PdfProblem, RegExp]>([
    ['encrypted', /^The PDF needs a password/],
    ['damaged', /^The file is damaged or no PDF/],
    ['empty', /^The PDF contains no page/],
    ['tooLarge', /^The PDF is too large for this device/],
  ])('explains why a PDF cannot be read: %s', async (problem, text) => {
    const { choose, upload, sent } = await setup({ openPdf: async () => ({ problem }) });
    await choose(pdfDocument);
    expect(screen.getByText(text)).toBeDefined();
    await upload();
    expect(sent()).toEqual([]);
  });

  it('warns if the device can draw only a small picture, and explains why a page cannot be drawn', async () => {
    const server = new FakeServer().on(planEndpoint, () => {
      throw new ConnectionLostError();
    });
    const render = vi.fn<PdfFile['render']>();
    const { choose, upload } = await setup({ openPdf: async () => buildPdf({ render }), server });
    await choose(pdfDocument);
    render.mockResolvedValueOnce({ file: new File(['x'], 'a.png'), width: 4096, height: 2896, reduced: true });
    await upload();
    expect(await screen.findByText(/cannot draw the page larger than 4,096 × 2,896 px/)).toBeDefined();
    render.mockResolvedValueOnce({ problem: 'tooLarge' });
    await upload();
    expect(await screen.findByText(/^The PDF is too large for this device/)).toBeDefined();
  });

  it('keeps the file after a conflict and a lost connection', async () => {
    const server = new FakeServer().on(planEndpoint, {
      status: 409,
      body: { code: 'E007', message: 'Refused.', reference: 'r1', current: { ...deck, version: 8 } },
    });
    const { choose, upload, sent, onSaved } = await setup({ server });
    await choose(new File(['x'], 'deck.png'));
    await upload();
    expect(await screen.findByText(/^Someone else has changed this deck meanwhile/)).toBeDefined();
    server.on(planEndpoint, () => {
      throw new ConnectionLostError();
    });
    await upload('Upload my plan');
    expect(await screen.findByText(/offline|connection/i)).toBeDefined();
    server.on(planEndpoint, savedReply);
    await upload('Upload my plan');
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith('change-1'));
    expect(sent().map(([, version]) => version)).toEqual(['3', '8', '8']);
  });

  it('shows French texts', async () => {
    const { choose } = await setup({ language: 'fr' });
    await choose(pdfDocument);
    expect(screen.getByText('Importer le plan : Main deck')).toBeDefined();
    expect(screen.getByText('Choisissez une des 3 pages')).toBeDefined();
  });
});

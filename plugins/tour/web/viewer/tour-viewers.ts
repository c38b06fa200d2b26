import { inject, injectable } from 'inversify';
import { TourStore, TourTools, type Viewer, type ViewerOptions, type Viewers } from '#plugins/tour';
import { MobxViewer } from './mobx-viewer.ts';

@injectable()
export class TourViewers implements Viewers {
  readonly #store: TourStore;
  readonly #tools: TourTools;

  constructor(@inject(TourStore) store: TourStore, @inject(TourTools) tools: TourTools) {
    this.#store = store;
    this.#tools = tools;
  }

  create<Reason extends string = never>(options: ViewerOptions<Reason>): Viewer<Reason> {
    return new MobxViewer(options, this.#store, this.#tools);
  }
}

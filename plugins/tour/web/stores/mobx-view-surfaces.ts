import { injectable } from 'inversify';
import { action, makeObservable, observableRef, runInAction } from 'mobx';
import type { ViewSurface, ViewSurfaces } from '#plugins/tour';

@injectable()
export class MobxViewSurfaces implements ViewSurfaces {
  all: readonly ViewSurface[] = [];

  constructor() {
    makeObservable(this, { all: observableRef, register: action });
  }

  register(surface: ViewSurface): () => void {
    this.all = [...this.all, surface];
    return () => runInAction(() => (this.all = this.all.filter((other) => other !== surface)));
  }
}

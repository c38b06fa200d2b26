import type { BodyOf } from '#core';
import { notFound, type Caller, type ChangeAuthor, type ServerContext } from '#core/server';
import type { SetUpSource, SetUpSteps } from '#plugins/locations';
import type { updateSetUp, SetUp } from '../../contract/api/set-up.ts';
import type { LocationsTables } from '../tables.ts';

type Context = Pick<ServerContext<LocationsTables>, 'tables' | 'locations' | 'changes'>;

/** The step in `skipped_step` that means the whole list. */
export const wholeListStep = '';

/** The steps of all plugins, and which of them are skipped. */
export class SetUpStepList implements SetUpSteps {
  readonly #context: Context;
  readonly #sources: SetUpSource[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  register(source: SetUpSource): void {
    this.#sources.push(source);
  }

  async read(caller: Caller): Promise<SetUp> {
    const locations = await this.#context.locations.accessible(caller);
    const [skippedRows, ...reports] = await Promise.all([
      this.#context.tables.selectFrom('skipped_step').select('step').execute(),
      ...this.#sources.map((source) => source.read(locations)),
    ]);
    const skippedSteps = new Set(skippedRows.map(({ step }) => step));
    return {
      dismissed: skippedSteps.has(wholeListStep),
      steps: reports.flat().map((report) => ({ ...report, skipped: skippedSteps.has(report.id) })),
    };
  }

  /** @throws `notFound` (404) for an unknown step */
  async change(
    author: ChangeAuthor & { readonly caller: Caller },
    { step, hidden }: BodyOf<typeof updateSetUp>,
  ): Promise<SetUp> {
    if (step !== null && !this.#sources.some(({ steps }) => steps.includes(step))) throw notFound('This step');
    const row = { step: step ?? wholeListStep };
    await this.#context.changes.apply(
      author,
      { action: hidden ? 'locations.setUpSkipped' : 'locations.setUpShown', subject: row.step, name: '', location: '' },
      async ({ tables, lockAndRecord }) => {
        await lockAndRecord('skipped_step', 'step', [row.step]);
        if (hidden)
          await tables
            .insertInto('skipped_step')
            .values(row)
            .onConflict((builder) => builder.doNothing())
            .execute();
        else await tables.deleteFrom('skipped_step').where('step', '=', row.step).execute();
      },
    );
    return this.read(author.caller);
  }
}

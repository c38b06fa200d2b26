import { Type, type Static } from 'typebox';
import { nullable, Point } from '#core/api';
import type { ServerContext } from '#core/server';
import { ModelPose, ModelReport } from '../../contract/api.ts';
import { TagRule } from '../../contract/api/tag-rules.ts';
import type { ModelTables } from '../tables.ts';

export type ModelContentContext = Pick<
  ServerContext<ModelTables>,
  'tables' | 'files' | 'jobs' | 'changes' | 'locations' | 'service'
>;

export const modelsFile = 'models.json';
const Mapping = Type.Object({
  /** Key of the object in the file. */
  object: Type.String(),
  kind: Type.Enum(['TAG', 'NODE']),
  /** Tag number, or code of a viewpoint. Null if the object is mapped to neither. */
  target: nullable(Type.String()),
});
export const ExportedModel = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 120 }),
  location: Type.String(),
  file: Type.String(),
  pose: ModelPose,
  bounds: nullable(Type.Object({ min: Point, max: Point })),
  report: nullable(ModelReport),
  rules: Type.Array(TagRule),
  /** Mappings by admins. An import applies the rules again. */
  mappings: Type.Array(Mapping),
});
export type ExportedModel = Static<typeof ExportedModel>;
export const Models = Type.Array(ExportedModel);

import { Type } from 'typebox';
import { serverEvent } from '#core';

/** The job that applies the tag rules of a model has made progress or ended. */
export const tagRulesApplied = serverEvent('model-3d.tagRulesApplied', Type.Object({ model: Type.String() }));

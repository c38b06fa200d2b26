import type { ColumnType } from 'kysely';
import type { LocalizedError } from '#core';
import type { Model, ModelMapping, ModelPose, ModelReport } from '../contract/index.ts';

export const modelSchema = 'model_3d';

/** The tables of the Postgres schema `model_3d`. */
export interface ModelTables {
  readonly model: {
    readonly uid: string;
    readonly location: string;
    readonly name: string;
    readonly version: number;
    readonly state: Model['state'];
    readonly message: string | null;
    /** The id and the values of `message`. */
    readonly refusal: ColumnType<LocalizedError | null, string | null | undefined, string | null>;
    /** Id of the GLB, or of the folder of tiles. */
    readonly file: string | null;
    /** Number of tiles, which is 0 for a single GLB. */
    readonly tiles: number;
    /** Drivers return 64-bit integers as strings. */
    readonly bytes: ColumnType<string | number, number, number>;
    readonly objects: number;
    readonly bounds: ColumnType<Model['bounds'], string | null, string | null>;
    readonly pose: ColumnType<ModelPose, string, string>;
    readonly report: ColumnType<ModelReport | null, string | null, string | null>;
    /** Id of the job of the latest import. */
    readonly job: string | null;
    readonly updated_at: ColumnType<Date, Date | undefined, Date>;
  };
  /** The objects of the published file in the order of the file. */
  readonly model_object: {
    /** Uid of the model. */
    readonly model: string;
    readonly position: number;
    /** The key of an object is stable across versions. */
    readonly key: string;
    readonly name: string;
    /** Names of its ancestors, outermost first. */
    readonly within: ColumnType<string[], string, string>;
    /** Tag number in the file. The site may have no tag with this number. */
    readonly tag: string | null;
    /** Searchable texts in lower case. */
    readonly search: string;
  };
  readonly mapping: {
    /** Uid of the model. */
    readonly model: string;
    /** Key of the object. */
    readonly object: string;
    readonly kind: ModelMapping['kind'];
    /** Uid of a tag or a node. If it is null, the object has no tag, even if the file states one. */
    readonly target: string | null;
  };
}

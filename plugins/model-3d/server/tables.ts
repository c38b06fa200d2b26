import type { ColumnType } from 'kysely';
import type { ToldRefusal } from '#core';
import type { ServerContext } from '#core/server';
import type { Model, ModelMapping, ModelPose, ModelReport } from '../contract/index.ts';

/** The tables of the Postgres schema `model_3d`. */
export interface ModelTables {
  readonly model: {
    readonly id: string;
    readonly location: string;
    readonly name: string;
    readonly version: number;
    readonly state: Model['state'];
    readonly message: string | null;
    /** Message id and values of `message`. */
    readonly refusal: ColumnType<ToldRefusal | null, string | null, string | null>;
    /** Id of the GLB, or of the folder of its tiles. */
    readonly file: string | null;
    /** 0: the file is a GLB. */
    readonly tiles: number;
    /** Drivers give 64 bits as text. */
    readonly bytes: ColumnType<string | number, number, number>;
    readonly objects: number;
    readonly bounds: ColumnType<Model['bounds'], string | null, string | null>;
    readonly pose: ColumnType<ModelPose, string, string>;
    readonly report: ColumnType<ModelReport | null, string | null, string | null>;
    /** The latest import. */
    readonly job: string | null;
    readonly updated_at: ColumnType<Date, Date | undefined, Date>;
  };
  readonly mapping: ModelMapping;
}

export const tablesOf = ({ database }: Pick<ServerContext, 'database'>) => database.of<ModelTables>('model_3d');

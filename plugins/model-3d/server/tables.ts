import type { ColumnType, Generated } from 'kysely';
import type { LocalizedError } from '#core';
import type { AttributePath, TagRule } from '../contract/api/tag-rules.ts';
import type { Model, ModelMapping, ModelPose, ModelReport } from '../contract/index.ts';
import type { MappingRule } from '../contract/values/tag-rules.ts';
import type { ObjectBox } from './jobs/object-boxes.ts';

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
    /** The database driver returns 64-bit integers as strings. */
    readonly bytes: ColumnType<string | number, number, number>;
    readonly objects: number;
    readonly bounds: ColumnType<Model['bounds'], string | null, string | null>;
    readonly pose: ColumnType<ModelPose, string, string>;
    readonly report: ColumnType<ModelReport | null, string | null, string | null>;
    /** Id of the job of the latest import. */
    readonly job: string | null;
    /** Paths of the objects' attributes, those of most objects first. */
    readonly attribute_paths: ColumnType<AttributePath[], string | undefined, string>;
    /** Whether the objects have parents, attributes and boxes. Earlier versions of the product did not store them. */
    readonly objects_complete: Generated<boolean>;
    /** Id of the latest job that applied the tag rules. */
    readonly rules_job: ColumnType<string | null, string | undefined, string>;
    readonly updated_at: ColumnType<Date, Date | undefined, Date>;
  };
  /** The objects of the published file in the order of the file. */
  readonly model_object: {
    /** Uid of the model. */
    readonly model: string;
    readonly position: number;
    /** Stable across versions. */
    readonly key: string;
    readonly name: string;
    /** Names of its ancestors, outermost first. */
    readonly within: ColumnType<string[], string, string>;
    /** Tag number in the file. The site may have no tag with this number. */
    readonly tag: string | null;
    /** Searchable texts in lower case. */
    readonly search: string;
    /** Position of the object above. */
    readonly parent: number | null;
    /** Values by path. */
    readonly attributes: ColumnType<Readonly<Record<string, string>>, string | undefined, string>;
    /** The box of the object with the objects below it. */
    readonly box: ColumnType<ObjectBox | null, string | null, string | null>;
  };
  readonly mapping: {
    /** Uid of the model. */
    readonly model: string;
    /** Key of the object. */
    readonly object: string;
    readonly kind: ModelMapping['kind'];
    /** Uid of a tag or a node. If it is null, the object has no tag, even if the file states one. */
    readonly target: string | null;
    /** The rule that found the tag. Null for mappings by admins. */
    readonly rule: ColumnType<MappingRule | null, MappingRule | null | undefined, MappingRule | null>;
  };
  /** Rules by which the tags of a model's objects are found. */
  readonly tag_rules: {
    /** Uid of the model. */
    readonly model: string;
    readonly rules: ColumnType<TagRule[], string, string>;
    readonly version: Generated<number>;
  };
  /** Positions that tags got from objects. A row is obsolete once its tag has another position. */
  readonly tag_position: {
    /** Uid of the tag. */
    readonly tag: string;
    /** Uid of the model. */
    readonly model: string;
    /** Key of the object. */
    readonly object: string;
    /** Metres in the site frame. */
    readonly x: number;
    readonly y: number;
    readonly z: number;
  };
}

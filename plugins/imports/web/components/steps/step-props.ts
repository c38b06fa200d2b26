import type { Import, ImportKindInfo } from '../../../contract/api.ts';
import type { OpenImport } from '../../stores/open-import.ts';

/** The props of every step of an import. */
export interface StepProps {
  readonly openImport: OpenImport;
  readonly currentImport: Import;
  readonly kind: ImportKindInfo;
  readonly allKinds: readonly ImportKindInfo[];
}

import { useMemo, useState } from 'react';
import { LastChangeStore } from '#core/ui-data';
import { HttpClient, useResource, useService } from '#core/web';
import type { listMasterTypeDetails } from '../../contract/api/master-data.ts';
import { MasterMutations } from './master-mutations.ts';

/** Loads the master types. `mutations` change them, and `lastChange` has the last change, to undo it. */
export function useMasterTypes() {
  const http = useService(HttpClient);
  const types = useResource(
    (signal) => http.call<typeof listMasterTypeDetails>('GET', '/api/master-types', {}, { signal }),
    [http],
  );
  const [lastChange] = useState(() => new LastChangeStore());
  const mutations = useMemo(() => new MasterMutations(http, lastChange, () => types.load()), [http, lastChange, types]);
  return { types, lastChange, mutations };
}

import { useMemo, useState } from 'react';
import { LastChangeStore } from '#core/ui-data';
import { HttpClient, useResource, useService } from '#core/web';
import type { listMasterTypeDetails } from '../../contract/api/master-data.ts';
import { MasterMutations } from './master-mutations.ts';

/** The master types, and what changes them. */
export function useTypes() {
  const http = useService(HttpClient);
  const types = useResource(
    (signal) => http.call<typeof listMasterTypeDetails>('GET', '/api/master-types', {}, { signal }),
    [http],
  );
  const [lastChange] = useState(() => new LastChangeStore());
  const mutations = useMemo(() => new MasterMutations(http, lastChange, () => types.load()), [http, lastChange, types]);
  return { types, lastChange, mutations };
}

import { ConfigurationStore } from './configuration-store.ts';
import type { ServerContext } from '../kernel/server-plugin.ts';

const welcomeText = {
  en:
    'Halvorsen Bravo is an invented platform, drawn for this demonstration.\nOpen Module M10 and walk: choose a ' +
    'ring on the floor to go on, a dot to read a tag. Nothing you do here can break anything.',
  fr:
    'Halvorsen Bravo est une plateforme imaginaire, dessinée pour cette démonstration.\nOuvrez le module M10 et ' +
    'promenez-vous : un anneau au sol mène plus loin, un point affiche un repère. Rien de ce que vous faites ici ne ' +
    'peut causer de dommage.',
};

/** Adds the welcome text, unless it exists. */
export async function seedDemoConfiguration(context: Pick<ServerContext, 'service'>): Promise<void> {
  const store = context.service(ConfigurationStore);
  if ((await store.read('welcomeText')) === undefined) await store.write('welcomeText', welcomeText, null);
}

import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import { locationTypes, siteUnits } from '#core';
import { setUpStates } from '../contract/api/set-up.ts';
import { pictureKinds } from '../contract/index.ts';
import manifest from '../plugin.ts';
import { changeKinds } from './admin/stores/location-mutations.ts';

webPluginConforms({
  folder: path.resolve('plugins/locations'),
  manifest,
  settings: { alphabetical: false },
  messages: [
    ...['siteWithoutUnit', 'deadHotspot'].flatMap((check) => [
      `locations.check.${check}`,
      `locations.check.${check}.hint`,
    ]),
    ...locationTypes.map((type) => `locations.type.${type}`),
    ...changeKinds.flatMap((kind) => [`locations.sites.done.${kind}`, `locations.sites.undone.${kind}`]),
    ...pictureKinds.flatMap((kind) => [
      `locations.pictures.${kind}`,
      `locations.pictures.hint.${kind}`,
      `locations.pictures.remove.${kind}`,
    ]),
    ...['few', 'crossing'].map((problem) => `locations.areas.problem.${problem}`),
    ...['pictureSaved', 'pictureRemoved', 'areasSaved', 'changeUndone', 'setUpSkipped', 'setUpShown'].map(
      (action) => `locations.audit.${action}`,
    ),
    ...setUpStates.flatMap((state) => [`locations.setUp.state.${state}`, `locations.setUp.action.${state}`]),
    ...['noSite', 'site', 'sites', 'withoutRecord', 'withoutUnit'].map((detail) => `locations.setUp.${detail}`),
    ...['pictureSaved', 'pictureRemoved', 'areasSaved', 'locationsImported'].map(
      (action) => `locations.audit.${action}`,
    ),
    ...siteUnits.map((unit) => `locations.sites.unit.${unit}`),
    ...['zoom', 'x', 'y'].map((slider) => `locations.crop.${slider}`),
    ...['east', 'north', 'up'].map((axis) => `locations.sites.origin.${axis}`),
    ...['name', 'label', 'type'].map((field) => `locations.sites.${field}`),
  ],
});

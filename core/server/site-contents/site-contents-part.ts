import type { CorePart } from '../kernel/core-part.ts';
import { SiteContents, type OwnedSiteContent } from './site-contents.ts';

/** Collects the contents of sites, for exports and imports of whole sites. */
export const siteContentsPart: CorePart = {
  id: 'site-contents',
  migrations: [],
  mount(_api, { provide }) {
    const contents: OwnedSiteContent[] = [];
    provide(SiteContents, {
      register: (owner, content) => {
        const key = `${owner}.${content.id}`;
        if (
          contents.some(
            (registeredContent) => registeredContent.key === key || registeredContent.folder === content.folder,
          )
        )
          throw new Error(`The site content '${key}' or its folder '${content.folder}' is registered twice.`);
        contents.push({ ...content, key });
      },
      list: () => contents.toSorted((a, b) => a.order - b.order || a.key.localeCompare(b.key)),
    });
  },
};

/** What shows a scan or a model beside a form, loaded as one file with the first of them. */
export { default as AlignmentView } from './alignment/alignment-view.tsx';
export { PlaceInSite } from './tags/place-in-site.tsx';

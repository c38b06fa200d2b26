declare module 'epsg-index';

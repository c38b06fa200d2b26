export { default as MasterDataScreen } from './screens/master-data-screen.tsx';
export { default as MasterScreen } from './screens/master-screen.tsx';
export { default as TypeScreen } from './screens/type-screen.tsx';
export { default as TypesScreen } from './screens/types-screen.tsx';

export { default as MasterListScreen } from './screens/master-list-screen.tsx';
export { default as MasterScreen } from './screens/master-screen.tsx';
export { default as MasterTypeScreen } from './screens/master-type-screen.tsx';
export { default as MasterTypeListScreen } from './screens/master-type-list-screen.tsx';

export { default as EstimationScreen } from './screens/estimation-screen.tsx';
export { default as ExpenseScreen } from './screens/expense-screen.tsx';

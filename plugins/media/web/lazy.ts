/** The screens for all people are one chunk, because they are small and share modules. */
export { default as VideoViewerScreen } from './screens/video-viewer-screen.tsx';
export { default as WelcomeScreen } from './screens/welcome-screen.tsx';

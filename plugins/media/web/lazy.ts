/** The screens of everybody as one part: small ones that share modules. */
export { default as VideoViewerScreen } from './screens/video-viewer-screen.tsx';
export { default as WelcomeScreen } from './screens/welcome-screen.tsx';

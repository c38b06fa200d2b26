import {
  BackSide,
  Color,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  ShaderMaterial,
  SphereGeometry,
  type Scene,
} from 'three';

interface SkyColours {
  readonly zenith: number;
  readonly horizon: number;
  readonly nadir: number;
  readonly light: number;
}

/** The colours are neutral, so that the colours of the plant stand out. */
const skyColours: Readonly<Record<'light' | 'dark', SkyColours>> = {
  light: { zenith: 0xa9bccf, horizon: 0xe6ebef, nadir: 0xc3c9cd, light: 1 },
  dark: { zenith: 0x161c23, horizon: 0x3b4651, nadir: 0x20262b, light: 0.82 },
};

const skyLight = 2.1;
const sunLight = 1.7;

/** The sky, the ambient light and a sun in the south-west. */
export class Surroundings {
  readonly #sky = new HemisphereLight(0xffffff, 0x777d85, skyLight);
  readonly #sun = new DirectionalLight(0xfff3e0, sunLight);
  readonly #colours = { zenith: new Color(), horizon: new Color(), nadir: new Color() };
  readonly #dome = new Mesh(
    new SphereGeometry(1, 32, 16),
    new ShaderMaterial({
      side: BackSide,
      depthTest: false,
      depthWrite: false,
      uniforms: {
        zenith: { value: this.#colours.zenith },
        horizon: { value: this.#colours.horizon },
        nadir: { value: this.#colours.nadir },
      },
      vertexShader:
        'varying float up; void main() { up = position.z; mat4 rotation = viewMatrix; rotation[3] = ' +
        'vec4(0.0, 0.0, 0.0, 1.0); gl_Position = projectionMatrix * rotation * vec4(position * 10.0, 1.0); }',
      fragmentShader: `uniform vec3 zenith; uniform vec3 horizon; uniform vec3 nadir; varying float up;
        void main() { vec3 colour = up > 0.0 ? mix(horizon, zenith, pow(clamp(up, 0.0, 1.0), 0.6)) : mix(horizon, nadir, pow(clamp(-up * 4.0, 0.0, 1.0), 0.5));
        gl_FragColor = vec4(colour, 1.0);
        #include <colorspace_fragment>
        }`,
    }),
  );

  constructor(scene: Scene) {
    this.#sun.position.set(-0.5, -0.7, 1.1);
    this.#sky.position.set(0, 0, 1);
    this.#dome.frustumCulled = false;
    this.#dome.renderOrder = -1;
    scene.add(this.#sky, this.#sun, this.#dome);
    this.setDark(false);
  }

  setDark(dark: boolean): void {
    const colours = skyColours[dark ? 'dark' : 'light'];
    for (const name of ['zenith', 'horizon', 'nadir'] as const) this.#colours[name].set(colours[name]);
    this.#sky.intensity = skyLight * colours.light;
    this.#sun.intensity = sunLight * colours.light;
  }

  dispose(): void {
    this.#dome.geometry.dispose();
    this.#dome.material.dispose();
  }
}

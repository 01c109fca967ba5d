// Keyframe meshes in react-three-fiber. esbuild bundles it for a page with a <canvas>, which has tick.md2 and tick.pcx
// next to it: esbuild r3f.jsx --bundle --jsx=automatic --format=esm --outfile=r3f.js
import { createRoot, extend } from "@react-three/fiber";
import { Suspense, useEffect, useState } from "react";
import * as THREE from "three";
import { Keyframes } from "lerpmesh/r3f";

function Scene() {
  const [clip, setClip] = useState("run");
  useEffect(() => {
    const timer = setInterval(() => setClip((shown) => (shown === "run" ? "wave" : "run")), 3000);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <color attach="background" args={["#4e5258"]} />
      <hemisphereLight args={["white", "#444", 3]} />
      <directionalLight position={[1, 2, 3]} intensity={2} />
      <Suspense fallback={null}>
        <Keyframes url="tick.md2" clip={clip} fade={0.4} />
      </Suspense>
    </>
  );
}

// In an application with react-dom, <Canvas> does this.
extend(THREE);
const root = createRoot(document.querySelector("canvas"));
const camera = { position: [40, 30, 110], fov: 40, near: 1, far: 1000 };
await root.configure({ camera, size: { width: innerWidth, height: innerHeight, top: 0, left: 0 } });
root.render(<Scene />);

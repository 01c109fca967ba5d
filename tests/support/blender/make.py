"""Blender 3.4: `blender -b --python make.py -- FOLDER` writes the files of files.zip. Their versions differ in names and
dates only."""
import math
import sys

import bpy
import numpy

numpy.bool = bool  # the exporters of Debian need it
out=sys.argv[sys.argv.index('--')+1]
def reset():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps=10
def empty(name,loc,rot=(0,0,0)):
    o=bpy.data.objects.new(name,None); bpy.context.collection.objects.link(o)
    o.location=loc; o.rotation_euler=rot; return o
def cube(name,loc=(0,0,0)):
    bpy.ops.mesh.primitive_cube_add(size=2,location=loc); o=bpy.context.object; o.name=name; return o
def key(o,path,frames):
    for f,v in frames:
        setattr(o,path,v); o.keyframe_insert(path,frame=f)
def name_action(o,n): o.animation_data.action.name=n
def nla(o):
    a=o.animation_data.action; t=o.animation_data.nla_tracks.new(); t.name=a.name; t.strips.new(a.name,int(a.frame_range[0]),a); o.animation_data.action=None
# tags
reset(); cube('body'); empty('tag_identity',(0,0,0)); empty('tag_weapon',(1,2,3),(0,0,math.pi/6))
bpy.context.scene.frame_end=1
bpy.ops.export_scene.fbx(filepath=out+'/tags.fbx'); bpy.ops.wm.collada_export(filepath=out+'/tags.dae'); bpy.ops.export_scene.gltf(filepath=out+'/tags.glb')
bpy.ops.export_scene.obj(filepath=out+'/cube.obj')
# shape keys
reset(); o=cube('face'); o.shape_key_add(name='Basis'); k=o.shape_key_add(name='Smile')
for i in range(4): k.data[i].co.x+=5
k.value=0
bpy.ops.export_scene.fbx(filepath=out+'/keys0.fbx',bake_anim=False)
bpy.ops.export_scene.fbx(filepath=out+'/keys0anim.fbx')
k.value=0.5; bpy.ops.export_scene.fbx(filepath=out+'/keys5.fbx',bake_anim=False); 
k.value=0; k.keyframe_insert('value',frame=1); k.value=1; k.keyframe_insert('value',frame=11)
bpy.context.scene.frame_end=11
bpy.ops.export_scene.fbx(filepath=out+'/keysanim.fbx')
bpy.ops.export_scene.gltf(filepath=out+'/keysanim.glb')
bpy.ops.export_scene.gltf(filepath=out+'/keysnonormal.glb',export_morph_normal=False)
# three objects with actions
reset(); a=cube('lower'); b=cube('upper',(0,0,3)); t=empty('tag_weapon',(1,0,3))
for i,o in enumerate((a,b)):
    key(o,'location',[(1,(0,0,3*i)),(11,(i+1,0,3*i))]); name_action(o,o.name+'Action')
bpy.context.scene.frame_end=11
bpy.ops.export_scene.gltf(filepath=out+'/objects.glb')
bpy.ops.export_scene.gltf(filepath=out+'/objects_one.glb',export_nla_strips=False)
bpy.ops.export_scene.fbx(filepath=out+'/objects.fbx'); bpy.ops.wm.collada_export(filepath=out+'/objects.dae')
# tag held still with an action
key(t,'location',[(1,(1,0,3)),(11,(1,0,3))]); name_action(t,'tag_weaponAction')
bpy.ops.export_scene.gltf(filepath=out+'/still.glb')
bpy.ops.export_scene.fbx(filepath=out+'/still.fbx')
# armature with NLA
reset(); bpy.ops.object.armature_add(); arm=bpy.context.object; arm.name='Armature'
o=cube('man'); o.parent=arm; m=o.modifiers.new('a','ARMATURE'); m.object=arm; g=o.vertex_groups.new(name='Bone'); g.add(range(8),1,'REPLACE')
pb=arm.pose.bones['Bone']
for n,d in (('Walk',2),('Run',4)):
    arm.animation_data_create(); arm.animation_data.action=bpy.data.actions.new(n)
    for f,v in ((1,0),(11,d)):
        pb.location=(v,0,0); pb.keyframe_insert('location',frame=f)
    nla(arm)
bpy.context.scene.frame_end=11
bpy.ops.export_scene.fbx(filepath=out+'/rig.fbx'); bpy.ops.wm.collada_export(filepath=out+'/rig.dae'); bpy.ops.export_scene.gltf(filepath=out+'/rig.glb')
# vertex colours
reset(); o=cube('c'); o.data.color_attributes.new('Col','BYTE_COLOR','CORNER')
for d in o.data.color_attributes['Col'].data: d.color=(1,0,0,1)
bpy.context.scene.frame_end=1
bpy.ops.export_scene.gltf(filepath=out+'/colour.glb'); bpy.ops.export_scene.fbx(filepath=out+'/colour.fbx')

"""GStreamer's RTSP server, run by Debian's Python: ``rtsp_server.py PORT CODEC WIDTH HEIGHT FPS [NAME PASSWORD]``.

Needs the packages python3-gi, gir1.2-gst-rtsp-server-1.0, gstreamer1.0-plugins-good and -ugly.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

CODECS = {
    "jpeg": "jpegenc quality=90 ! rtpjpegpay name=pay0 pt=26",
    "h264": "x264enc tune=zerolatency speed-preset=ultrafast key-int-max=5 ! rtph264pay name=pay0 pt=96",
}

port, codec, width, height, fps, *login = sys.argv[1:]
Gst.init(None)
server = GstRtspServer.RTSPServer(service=port, address="127.0.0.1")
factory = GstRtspServer.RTSPMediaFactory(shared=True)
factory.set_launch(
    f"( videotestsrc is-live=true pattern=ball ! video/x-raw,format=I420,width={width},height={height},"
    f"framerate={fps}/1 ! {CODECS[codec]} )"
)
if login:
    auth = GstRtspServer.RTSPAuth()
    token = GstRtspServer.RTSPToken()
    token.set_string(GstRtspServer.RTSP_TOKEN_MEDIA_FACTORY_ROLE, "user")
    auth.add_basic(GstRtspServer.RTSPAuth.make_basic(*login), token)
    server.set_auth(auth)
    factory.add_role_from_structure(
        Gst.Structure.new_from_string("user, media.factory.access=(boolean)true, media.factory.construct=(boolean)true")
    )
server.get_mount_points().add_factory("/tray", factory)
server.attach(None)
print("serves", flush=True)
GLib.MainLoop().run()

"""What the camera saw: settling, locating and classifying. numpy and OpenCV only."""
